#!/usr/bin/env python3
"""Writes trig_values.inc: inputs and the doubles nearest to the true results.

Requires mpmath. Deterministic.
Usage: python3 make_trig_values.py > trig_values.inc
"""
import random

from mpmath import atan2, cos, mp, mpf, sin, sqrt

mp.prec = 1500
random.seed(20)


def angles():
    out = [0.5, 1.0, -1.0, 3.0, -3.1, 0.7853981633974483, 0.7853981633974484]
    out += [1e-9, 2.0**-27, -(2.0**-26), 1e-5, 0.0078125, 0.0234375]
    # Close to multiples of pi/2: all digits of the reduction matter.
    out += [1.5707963267948966, 3.141592653589793, 6.283185307179586]
    out += [6381956970095103 * 2.0**797, 1e22, 1.7e308]
    out += [2.0**20, -1048575.9, 823549.6645, 1e15, 16367173.0 * 2.0**30]
    out += [random.uniform(-3.2, 3.2) for _ in range(60)]
    out += [random.uniform(-1, 1) * 10 ** random.uniform(-6, 15) for _ in range(40)]
    return out


def points():
    out = [(1.0, 1.0), (3.0, -4.0), (-1e-300, -1e-300), (1e308, 1.2e308)]
    out += [(1e-20, 1.0), (1e-20, -1.0), (1.0, 1e-20), (1e-310, 3.0), (5.0, 12.0)]
    out += [(2.0**-61, 1.0), (2.0**-55, 1.0), (0.015625, 1.0), (0.9999999999999999, 1.0)]
    out += [(random.gauss(0, 1), random.gauss(0, 1)) for _ in range(60)]
    out += [
        (random.gauss(0, 1) * 10 ** random.uniform(-9, 9), random.gauss(0, 1))
        for _ in range(40)
    ]
    return out


print("// Written by make_trig_values.py; do not edit.")
print("constexpr Angle kAngles[] = {  // x, sin x, cos x")
for x in angles():
    print("    {%s, %s, %s}," % (x.hex(), float(sin(mpf(x))).hex(), float(cos(mpf(x))).hex()))
print("};")
print("constexpr Point kPoints[] = {  // y, x, atan2(y, x), hypot(x, y)")
for y, x in points():
    angle = float(atan2(mpf(y), mpf(x))).hex()
    length = float(sqrt(mpf(x) ** 2 + mpf(y) ** 2)).hex()
    print("    {%s, %s, %s, %s}," % (y.hex(), x.hex(), angle, length))
print("};")
