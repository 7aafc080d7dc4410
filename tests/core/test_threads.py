"""ThreadPool that share a list of tasks."""

import os
import signal
from time import sleep

import pytest

from apprenti.core.machine import ThreadPool


@pytest.mark.parametrize("workers", [1, 3])
def test_results_come_in_the_order_of_the_items(workers):
    def late_if_early(item):
        sleep(0.01 if item < 3 else 0)
        return item * item

    assert ThreadPool(workers).each(late_if_early, range(20)) == [item * item for item in range(20)]


@pytest.mark.parametrize("workers", [1, 3])
def test_an_error_of_a_task_is_raised(workers):
    with pytest.raises(ZeroDivisionError):
        ThreadPool(workers).each(lambda item: 1 // item, [1, 0, 2])


def test_ctrl_c_ends_the_work_between_two_tasks():
    done = []

    def task(item):
        if item == 5:
            os.kill(os.getpid(), signal.SIGINT)
        sleep(0.01)
        done.append(item)

    threads = ThreadPool(2)
    with pytest.raises(KeyboardInterrupt):
        threads.each(task, range(200))
    assert 5 <= len(done) < 100
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert threads.each(abs, [-1, -2, -3]) == [1, 2, 3]  # and it goes on
