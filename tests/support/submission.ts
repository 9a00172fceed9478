// Made-up submissions to the Waymo challenges: the schema, with content of our own.

import { bytes, float, integer, varint } from "../../web/tools/examples/tfrecord.mjs";

/** A trajectory of 80 steps, from the frame after the current one. */
export interface MadeAgent {
	readonly id: number;
	/** x, y and heading of each step. */
	readonly poses: readonly (readonly [x: number, y: number, yaw: number])[];
}

const STEPS = 80;

function packed(field: number, values: readonly number[]): number[] {
	const content = new Uint8Array(Float32Array.from(values).buffer);
	return [...varint(field * 8 + 2), ...varint(content.length), ...content];
}

const text = (field: number, value: string): number[] =>
	bytes(field, new TextEncoder().encode(value));

function trajectory({ id, poses }: MadeAgent): number[] {
	return [
		...packed(
			2,
			poses.map(([x]) => x),
		),
		...packed(
			3,
			poses.map(([, y]) => y),
		),
		...packed(
			4,
			poses.map(() => 1),
		),
		...packed(
			5,
			poses.map(([, , yaw]) => yaw),
		),
		...integer(6, id),
	];
}

/** Returns a submission of joint scenes, with what it states about its model. */
export function submission(
	scenarios: readonly {
		readonly id: string;
		readonly scenes: readonly MadeAgent[][];
	}[],
	method = "made",
): Uint8Array<ArrayBuffer> {
	const all = scenarios.flatMap(({ id, scenes }) =>
		bytes(1, [
			...text(1, id),
			...scenes.flatMap((agents) =>
				bytes(
					2,
					agents.flatMap((agent) => bytes(1, trajectory(agent))),
				),
			),
		]),
	);
	return Uint8Array.from([
		...all,
		...integer(2, 1),
		...text(3, "someone@example.com"),
		...text(4, method),
		...text(6, "Example University"),
		...text(8, "https://example.com/made"),
		...text(12, "200K"),
	]);
}

/** The modes of agents at 2 steps per second, as motion predictions. */
export function motionSubmission(
	id: string,
	agents: readonly MadeAgent[],
	confidences: readonly number[],
): Uint8Array<ArrayBuffer> {
	const slow = (agent: MadeAgent) => agent.poses.filter((_, t) => t % 5 === 4);
	const predictions = agents.flatMap((agent) =>
		bytes(1, [
			...integer(1, agent.id),
			...confidences.flatMap((confidence, mode) =>
				bytes(2, [
					...bytes(1, [
						...packed(
							2,
							slow(agent).map(([x]) => x),
						),
						...packed(
							3,
							slow(agent).map(([, y], t) => y + mode * t * 0.2),
						),
					]),
					...float(2, confidence),
				]),
			),
		]),
	);
	const scenario = [...text(1, id), ...bytes(2, predictions)];
	return Uint8Array.from([
		...bytes(1, scenario),
		...integer(2, 1),
		...text(4, "modes"),
	]);
}

/** Returns futures that are so many metres to the side. */
export function asideScenes(count: number, x: number, by: number): MadeAgent[][] {
	return smoothScenes(count, x).map((agents) =>
		agents.map((agent) => ({
			...agent,
			poses: agent.poses.map(([px, py, yaw]) => [px, py + by, yaw] as const),
		})),
	);
}

/**
 * Returns futures of the agents of `waymoScenario(id, x, LONG)`: they drive on, each
 * future more to one side than the one before; in the last ones vehicle 7 stops, so that
 * the ego vehicle, 20, runs into it.
 */
export function smoothScenes(count: number, x = 1000): MadeAgent[][] {
	const starts = [
		{ id: 7, x: x + 22, y: 500 },
		{ id: 20, x: x + 10, y: 500 },
		{ id: 8, x: x + 19, y: 505 },
		{ id: 9, x: x + 25, y: 510 },
	];
	return Array.from({ length: count }, (_, r) =>
		starts.map(({ id, x: from, y }) => {
			const side = count > 1 ? (2 * r) / (count - 1) - 1 : 0;
			const stops = id === 7 && r >= count - 3;
			const poses = Array.from({ length: STEPS }, (_, t) => {
				const done = (t + 1) / STEPS;
				const along = (stops ? 4 : (0.8 + 0.2 * side) * STEPS) * done;
				const bend = id === 20 || id === 7 ? 1.2 : 3;
				const yaw = Math.atan2(2 * bend * side * done, STEPS);
				return [from + along, y + bend * side * done * done, yaw] as const;
			});
			return { id, poses };
		}),
	);
}
