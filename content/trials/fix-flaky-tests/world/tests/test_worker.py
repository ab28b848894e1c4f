import time

from jobs.worker import Worker


def test_result():
    worker = Worker()
    worker.submit(5)
    time.sleep(0.015)
    assert worker.result == 25
