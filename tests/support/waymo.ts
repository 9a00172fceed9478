// Made-up Waymo scenarios: the schema of the data set, with content of our own.

import {
	bytes,
	double,
	float,
	integer,
	tfrecords,
	varint,
} from "../../web/tools/examples/tfrecord.mjs";

/** Length of a made-up scenario. */
export interface Length {
	/** Steps; all tracks move by a metre in each. */
	readonly steps: number;
	/** The current step. */
	readonly now: number;
	/** Points of each of the two lanes, a metre apart. */
	readonly lane: number;
}

const SHORT: Length = { steps: 6, now: 2, lane: 21 };

/** As long as those of the data set. */
export const LONG: Length = { steps: 91, now: 10, lane: 91 };

const point = (x: number, y: number): number[] => [
	...double(1, x),
	...double(2, y),
	...double(3, 0),
];

const line = (x: number, y: number, count: number): number[][] =>
	Array.from({ length: count }, (_, i) => point(x + i, y));

function track(
	[id, type]: readonly [number, number],
	[x, y]: readonly [number, number],
	steps: number,
): number[] {
	const states = Array.from({ length: steps }, (_, i) => [
		...double(2, x + i),
		...double(3, y),
		...double(4, 1),
		...float(5, 4.5),
		...float(6, 2),
		...float(7, 1.5),
		...float(8, 0),
		...float(9, 10),
		...float(10, 0),
		...integer(11, 1),
	]);
	return [
		...integer(1, id),
		...integer(2, type),
		...states.flatMap((state) => bytes(3, state)),
	];
}

/**
 * Returns a scenario, of 6 frames unless said otherwise, with the vehicle 7 (to predict, of interest), the
 * pedestrian 8 (to predict), the vehicle 9, the lanes 1 and 2 and a red light.
 */
export function waymoScenario(
	id: string,
	x = 1000,
	{ steps: count, now, lane: points }: Length = SHORT,
): Uint8Array<ArrayBuffer> {
	const lane = (start: number, more: number[] = []): number[] =>
		bytes(3, [
			...integer(2, 2),
			...line(start, 500, points).flatMap((one) => bytes(8, one)),
			...more,
		]);
	const features = [
		[...integer(1, 1), ...lane(x, bytes(10, varint(2)))],
		[...integer(1, 2), ...lane(x + points - 1)],
		[
			...integer(1, 3),
			...bytes(
				8,
				[point(x + 8, 495), point(x + 11, 495), point(x + 11, 505)].flatMap((one) =>
					bytes(1, one),
				),
			),
		],
	];
	const light = bytes(1, [
		...integer(1, 1),
		...integer(2, 4),
		...bytes(3, point(x + points - 1, 500)),
	]);
	const steps = Array.from({ length: count }, (_, i) => i);
	return Uint8Array.from([
		...steps.flatMap((i) => double(1, i / 10)),
		...bytes(2, track([7, 1], [x + 12, 500], count)),
		...bytes(2, track([20, 1], [x, 500], count)),
		...bytes(2, track([8, 2], [x + 9, 505], count)),
		...bytes(2, track([9, 1], [x + 15, 510], count)),
		...integer(4, 7),
		...bytes(5, new TextEncoder().encode(id)),
		...integer(6, 1),
		...steps.flatMap(() => bytes(7, light)),
		...features.flatMap((one) => bytes(8, one)),
		...integer(10, now),
		...bytes(11, integer(1, 0)),
		...bytes(11, integer(1, 2)),
	]);
}

export { tfrecords };
