"""What the rules change in Snakemake is still there to be changed: a renamed attribute would be set in vain."""

import inspect

from snakemake.scheduling.job_scheduler import JobScheduler
from snakemake.script import PythonScript


def test_the_limit_of_jobs_a_second_can_be_turned_off() -> None:
    """With it, every look for jobs to start sets off another one, without end."""
    source = inspect.getsource(JobScheduler)
    assert "self.job_rate_limiter is None" in source
    assert "self._schedule_reevalutation(self.job_rate_limiter.timespan)" in source


def test_scripts_are_started_by_one_method() -> None:
    assert list(inspect.signature(PythonScript.execute_script).parameters) == ["self", "fname", "edit"]
    assert "is_python_script=True" in inspect.getsource(PythonScript.execute_script)
