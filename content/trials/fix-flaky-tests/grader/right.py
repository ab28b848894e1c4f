# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""A worker that does one job at a time in a thread of its own."""

import random
import threading
import time


class Worker:
    """Squares numbers, slowly."""

    def __init__(self):
        self.result = None
        self.history = []
        self._begun = threading.Event()
        self._finished = threading.Event()

    def submit(self, number):
        """Begin a job; it goes on in the background."""
        self._begun.clear()
        self._finished.clear()
        threading.Thread(target=self._work, args=(number,), daemon=True).start()

    def begun(self, timeout=5.0):
        """Wait until the job is taken up: whether it was."""
        return self._begun.wait(timeout)

    def wait(self, timeout=5.0):
        """Wait until the job has ended: whether it has."""
        return self._finished.wait(timeout)

    def _work(self, number):
        self._begun.set()
        time.sleep(random.uniform(0.001, 0.02))
        self.result = number * number
        self.history.append(self.result)
        self._finished.set()
