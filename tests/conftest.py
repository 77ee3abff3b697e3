"""Hypothesis without deadlines: the machines that run these tests are busy."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "dcb",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("dcb")
