import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GOLDENS } from "../../tests/support/goldens.js";
import { type NpyArray, readNpz } from "../../tests/support/npz.js";
import { agentsSliceFromFrames, facesSliceFromFrames } from "../src/index.js";
import { loadTools } from "../src/tools.js";
import { openGolden } from "./support/golden-samples.js";

const tools = await loadTools();

/** Empty without goldens: vitest evaluates skipped suites as well. */
const outputs = (name: string): Map<string, NpyArray> =>
	GOLDENS ? readNpz(`${GOLDENS}/outputs/${name}.npz`) : new Map();

const floats = (arrays: ReadonlyMap<string, NpyArray>, name: string): Float64Array =>
	Float64Array.from(Array.from(arrays.get(name)?.data ?? [], Number));

/** Compares values and returns their number. */
function expectNear(got: Float64Array, wanted: Float64Array): void {
	expect(wanted.length).toBeGreaterThan(0);
	expect(got).toHaveLength(wanted.length);
	const far = Array.from(got).filter(
		(value, i) =>
			!(
				Math.abs(value - (wanted[i] ?? 0)) <=
				1e-9 * Math.max(1, Math.abs(wanted[i] ?? 0))
			),
	);
	expect(far).toEqual([]);
}

describe.skipIf(!GOLDENS)("tools: geometry", () => {
	const all = outputs("geometry/geometry");
	const of = (name: string): Float64Array => floats(all, name);

	it.each([
		["transform_points2", () => tools.transformPoints(of("points2"), of("matrix2"), 2)],
		["transform_points3", () => tools.transformPoints(of("points3"), of("matrix3"), 3)],
		[
			"transform_points_bb",
			() => tools.transformPoints(of("points_b"), of("matrix_b"), 2),
		],
		["angular_distance", () => tools.angularDistances(of("angle_a"), of("angle_b"))],
		["rotation33_as_yaw", () => tools.yawsOfRotations(of("rotations"))],
		["yaw_as_rotation33", () => tools.rotationsOfYaws(of("angle_a").slice(0, 20))],
		["vertical_flip", () => tools.verticalFlips(of("matrix2"), 224)],
		[
			"compute_agent_pose",
			() => tools.agentPoses(of("points2").slice(0, 40), of("angle_a").slice(0, 20)),
		],
		["angle_between_vectors", () => tools.anglesBetween(of("v1"), of("v2"), 3)],
		[
			"yaw_around_north",
			() => tools.yawsAroundNorth(of("v1").filter((_, i) => i % 3 < 2)),
		],
		["geodetic_to_ecef", () => tools.ecefOfGeodetic(of("lla"))],
		["ecef_to_geodetic", () => tools.geodeticOfEcef(of("geodetic_to_ecef"))],
		["normalize_intensity", () => tools.normalizedIntensity(of("points2"), 100)],
	])("%s is L5Kit's", (name, compute) => {
		expectNear(compute(), of(name));
	});

	it("grids are L5Kit's", () => {
		const voxel = outputs("geometry/voxel");
		const shape = Float64Array.of(6, 5, 4);
		const cells = floats(voxel, "coords");
		expect(tools.intensityGrid(cells, shape)).toEqual(floats(voxel, "grid"));
		expect(tools.pointsWithinBounds(cells, shape)).toEqual(
			Float64Array.from(Array.from(voxel.get("within")?.data ?? [], Number)),
		);
	});
});

describe.skipIf(!GOLDENS)("tools: filters", () => {
	it("filtered rows of agents and faces equal L5Kit's", async () => {
		const golden = outputs("data/filters");
		using dataset = await openGolden("multi");
		const frame = await dataset.frames.rows(0, 1);
		const { begin, end } = agentsSliceFromFrames(frame);
		const agents = await dataset.agents.rows(begin, end);
		const expected = (name: string): number[] =>
			Array.from(golden.get(name)?.data ?? [], Number);

		const labels = agents.column("label_probabilities").data as Float32Array;
		for (const threshold of ["0.0", "0.3", "0.5", "0.75", "0.9"]) {
			const rows = tools.rowsKept(labels, Number(threshold));
			expect([...rows], threshold).toEqual(expected(`labels.0.${threshold}`));
		}
		const centroids = agents.column("centroid").data as Float64Array;
		const { data: ego } = frame.column("ego_translation");
		for (const most of [10, 25, 60]) {
			const rows = tools.rowsWithin(centroids, Number(ego[0]), Number(ego[1]), most);
			expect([...rows], `${most}`).toEqual(expected(`dist.0.${most}`));
		}
		expect(expected("labels.0.0.5")).not.toHaveLength(0);
		expect(expected("dist.0.60")).not.toHaveLength(0);
		const ids = agents.column("track_id").data as BigUint64Array;
		expect([...tools.rowsOfTrack(ids, 3n)]).toEqual(expected("track.0.3"));
		const faces = facesSliceFromFrames(frame);
		const { data } = (
			await dataset.traffic_light_faces.rows(faces.begin, faces.end)
		).column("traffic_light_face_status");
		["ACTIVE", "INACTIVE", "UNKNOWN"].forEach((name, state) => {
			const rows = tools.rowsWithState(data as Float32Array, state);
			expect([...rows], name).toEqual(expected(`tl.0.${name}`));
		});
	});

	it("tracks around a selected one are listed, prioritized first", () => {
		const all = BigUint64Array.of(1n, 2n, 3n, 4n);
		const priority = BigUint64Array.of(5n, 7n);
		expect([...tools.otherTrackIds(all, priority, 5n, 2)]).toEqual([1n, 7n]);
		expect([...tools.otherTrackIds(all, priority, undefined, 2)]).toEqual([5n, 7n]);
		expect(tools.otherTrackIds(all, priority, 5n, 0)).toHaveLength(0);
	});

	it("face states are distinguished", () => {
		const statuses = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0.5, 0);
		expect([...tools.rowsWithState(statuses, 0)]).toEqual([0, 3]);
		expect([...tools.rowsWithState(statuses, 1)]).toEqual([1, 3]);
		expect([...tools.rowsWithState(statuses, 2)]).toEqual([2]);
	});
});

describe.skipIf(!GOLDENS)("tools: evaluation", () => {
	const read = (name: string): string =>
		readFileSync(`${GOLDENS}/outputs/eval/${name}`, "utf8");

	it("files round-trip character by character", () => {
		const truth = tools.readGroundTruth(read("gt.csv"));
		expect(truth.timestamps).toHaveLength(30);
		expect(truth.availabilities).toHaveLength(30 * 12);
		expect(truth.coords).toHaveLength(30 * 24);
		expect(tools.writeGroundTruth(truth, 12)).toBe(read("gt.csv"));
		const predictions = tools.readPredictions(read("pred.csv"));
		expect(predictions.confidences).toHaveLength(30 * 3);
		expect(tools.writePredictions(predictions, 12)).toBe(read("pred.csv"));
	});

	it("metrics are L5Kit's", () => {
		const expected = JSON.parse(read("metrics.json")) as Record<string, unknown>;
		const got = tools.computeMetrics(read("gt.csv"), read("pred.csv"));
		expect(Object.keys(got).sort()).toEqual(Object.keys(expected).sort());
		for (const [name, value] of Object.entries(expected)) {
			expectNear(
				got[name] ?? new Float64Array(),
				Float64Array.from([value].flat() as number[]),
			);
		}
	});
});

describe("tools", () => {
	it("reports mismatched lengths", () => {
		expect(() => tools.yawsOfRotations(new Float64Array(4))).toThrow(
			expect.objectContaining({
				code: "invalid_argument",
				message: "rotations: wrong length (found 4, expected a multiple of 9)",
			}) as Error,
		);
		expect(() => tools.readGroundTruth("timestamp,track_id,what")).toThrow(
			expect.objectContaining({ code: "invalid_argument" }) as Error,
		);
	});
});
