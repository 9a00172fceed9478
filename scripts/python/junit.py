"""Prints the numbers of passed, failed and skipped tests of a JUnit file, and to standard
error why tests were skipped.

Usage: python3 scripts/python/junit.py FILE
"""

import sys
from collections import Counter
from xml.etree import ElementTree

cases = list(ElementTree.parse(sys.argv[1]).iter("testcase"))
reasons = Counter(
    " ".join(skipped.get("message", "").split())
    for case in cases
    for skipped in case.findall("skipped")
)
failed = sum(
    case.find("failure") is not None or case.find("error") is not None for case in cases
)
skipped = sum(reasons.values())
for reason, count in reasons.most_common():
    print(f"   skipped {count}: {reason}", file=sys.stderr)
print(len(cases) - failed - skipped, failed, skipped)
