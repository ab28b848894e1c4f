"""What several tests need."""


def finished(worker):
    """The worker, once its job has ended."""
    assert worker.wait(5), "the job did not end within five seconds"
    return worker
