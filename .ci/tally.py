"""Adds up the JUnit reports in a folder: python .ci/tally.py FOLDER STEPS_PASSED STEPS_FAILED.

Prints the plain closing line, and exits with 1 if anything failed or if a report, other
than those named ``*-bare.xml``, says that a test was skipped for want of a service.
"""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

WANTS_SERVICE = ("needs PostgreSQL", "needs Redis")


def counts(suite: ElementTree.Element) -> tuple[int, int, int]:
    """Passed, failed (errors too) and skipped."""
    failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    skipped = int(suite.get("skipped", 0))
    return int(suite.get("tests", 0)) - failed - skipped, failed, skipped


def wrongly_skipped(suite: ElementTree.Element) -> list[str]:
    """Tests that were skipped although their service is there."""
    return [
        f"{case.get('classname')}.{case.get('name')}"
        for case in suite.iter("testcase")
        for skip in case.iter("skipped")
        if any(want in (skip.get("message") or "") for want in WANTS_SERVICE)
    ]


def main(folder: str, steps_passed: str, steps_failed: str) -> int:
    passed, failed, skipped = int(steps_passed), int(steps_failed), 0
    for report in sorted(Path(folder).glob("*.xml")):
        for suite in ElementTree.parse(report).iter("testsuite"):
            good, bad, left_out = counts(suite)
            print(f"{report.stem}: {good} passed, {bad} failed, {left_out} skipped")
            passed, failed, skipped = passed + good, failed + bad, skipped + left_out
            if not report.stem.endswith("-bare"):
                for name in wrongly_skipped(suite):
                    print(f"  skipped, though its service is here: {name}")
                    failed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
