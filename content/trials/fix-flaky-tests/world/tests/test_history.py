from jobs.worker import Worker
from tests.helpers import finished


def test_a_new_worker_has_no_history():
    assert Worker().history == []


def test_results_are_kept_in_order():
    worker = Worker()
    for number in (2, 3):
        worker.submit(number)
        finished(worker)
    assert worker.history == [4, 9]
