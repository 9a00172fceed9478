// Bring a page with an open data set into the states of `states.ts`.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { simulationLog } from "../../web/test/support/simulation-log.js";
import {
	NUSCENES_FILES,
	NUSCENES_VERSION,
	nuscenesPrediction,
} from "../support/nuscenes-predictions.js";
import { velocityModel } from "../support/onnx-model.js";
import { sensorDataset } from "../support/sensor-dataset.js";
import { asideScenes, submission } from "../support/submission.js";
import { LONG, tfrecords, waymoScenario } from "../support/waymo.js";
import { zipOf } from "../support/zip.js";
import * as app from "./viewer-harness.js";

/** Opens predictions of two models for frames 70 to 99; agents nearly keep their velocity. */
export async function predict(page: Page): Promise<void> {
	const controller = await app.controllerOf(page);
	const read = await controller.evaluate(async ({ state: { dataset, sceneInfo } }) => {
		if (!dataset || !sceneInfo) throw new Error("no data set is open");
		const fields = ["timestamp", "agent_index_interval"];
		const rows = await dataset.frames.rows(70, 100, { fields });
		const times = rows.column("timestamp").data as BigInt64Array;
		const spans = Array.from(rows.column("agent_index_interval").data, Number);
		const [first = 0, last = 0] = [spans[0], spans.at(-1)];
		const agents = await dataset.agents.rows(first, last, {
			fields: ["track_id", "velocity"],
		});
		const count = last - first;
		const timestamps = new BigInt64Array(count);
		for (const [k, time] of times.entries())
			timestamps.fill(
				time,
				(spans[2 * k] ?? 0) - first,
				(spans[2 * k + 1] ?? 0) - first,
			);
		const track_ids = BigInt64Array.from(
			agents.column("track_id").data as BigUint64Array,
		);
		const velocity = agents.column("velocity").data as Float32Array;
		const STEPS = 20;
		const model = (name: string, error: number) => {
			const coords = new Float64Array(count * 2 * STEPS * 2);
			for (let i = 0, at = 0; i < count; i += 1)
				for (const side of [1, -2])
					for (let k = 1; k <= STEPS; k += 1) {
						const off = (error * side * k * k * Math.sin(Number(track_ids[i]))) / 400;
						const [vx = 0, vy = 0] = velocity.subarray(2 * i, 2 * i + 2);
						coords[at++] = vx * 0.1 * k - vy * off * 0.3;
						coords[at++] = vy * 0.1 * k + vx * off * 0.3;
					}
			const confidences = Float64Array.from({ length: 2 * count }, (_, i) =>
				i % 2 === 0 ? 0.75 : 0.25,
			);
			return { name, from: { timestamps, track_ids, confidences, coords } };
		};
		const viewer = document.querySelector<Viewer>("bev-viewer");
		if (viewer)
			viewer.predictions = [model("baseline", 2), model("transformer-large-v2", 5)];
		return count;
	});
	if (read === 0) throw new Error("nothing is predicted");
	await controller.evaluate((it) => it.reviews.list("worse"));
	await page.waitForFunction(({ state }) => state.review.comparison, controller);
}

/** Opens the predictions and waits until all scenes are ranked. */
export async function distribute(page: Page): Promise<void> {
	await predict(page);
	const controller = await app.controllerOf(page);
	await page.waitForFunction(
		({ state }) => state.review.ranking?.running === false,
		controller,
	);
}

/** Opens the predictions, with a picture for each model. */
export async function split(page: Page): Promise<void> {
	await predict(page);
	await (await app.controllerOf(page)).evaluate((it) => it.reviews.split(true));
}

/** Goes to the agent for which the second model is worst, beside the first. */
export async function rank(page: Page): Promise<void> {
	await predict(page);
	await app.openTab(page, "Predictions");
	await app.focusPicture(page);
	await page.keyboard.press("j");
	await app.settled(page);
}

/** Opens the predictions and the metrics by model. */
export async function measure(page: Page): Promise<void> {
	await predict(page);
	await app.openTab(page, "Predictions");
	await page.getByText("Metrics by model").click();
	await page.getByRole("table").nth(1).waitFor();
}

/** Opens a simulation of frames 70 to 99 that drifts to the left of the recorded path. */
export async function simulate(page: Page): Promise<void> {
	const controller = await app.controllerOf(page);
	await controller.evaluate(async ({ state: { dataset } }) => {
		if (!dataset) throw new Error("no data set is open");
		const fields = ["timestamp", "ego_translation"];
		const rows = await dataset.frames.rows(70, 100, { fields });
		const times = rows.column("timestamp").data as BigInt64Array;
		const place = rows.column("ego_translation").data as Float64Array;
		const at = (axis: number) => Array.from(times, (_, k) => place[3 * k + axis] ?? 0);
		const ego = { x: at(0), y: at(1).map((y, k) => y + 0.08 * k), yaw: at(0).fill(0) };
		const none: number[] = [];
		const agents = {
			counts: at(0).fill(0),
			...{ track_id: none, x: none, y: none, yaw: none, length: none, width: none },
		};
		const scene = `{"scene":0,"timestamps":[${times}],"ego":${JSON.stringify(ego)},"agents":${JSON.stringify(agents)}}`;
		document
			.querySelector<Viewer>("bev-viewer")
			?.setRollout(
				`{"format":"bevscope-rollout","version":1,"name":"drift","scenes":[${scene}]}`,
			);
	});
	await page.waitForFunction(({ state }) => state.rollout?.report, controller);
}

/** Runs the filter of the link. */
export async function search(page: Page): Promise<void> {
	await app.focusPicture(page);
	await page.keyboard.press("g");
	const box = page.getByRole("combobox", { name: "Filter" });
	await box.waitFor();
	await page.waitForFunction(
		(input) => input instanceof HTMLInputElement && input.value !== "",
		await box.elementHandle(),
	);
	await box.press("Enter");
}

/** Presses a key of the viewer, and waits for a dialog. */
export const dialog = (key: string) => async (page: Page) => {
	await app.focusPicture(page);
	await page.keyboard.press(key);
	await page.getByRole("dialog").first().waitFor();
};

/** Selects the first map element whose id contains this text. */
export const findOnMap = (id: string) => async (page: Page) => {
	await app.openTab(page, "Selected");
	const box = page.getByRole("searchbox", { name: /^Find a lane, crosswalk or light/ });
	await box.fill(id);
	await box.press("Enter");
	await page.locator("bev-map-record h2").first().waitFor();
};

/** Selects the first lane that the traffic light controls. */
export async function selectLane(page: Page): Promise<void> {
	await findOnMap("4RYD")(page);
	await page.locator("bev-map-record dd button").first().click();
	await page.getByRole("heading", { name: "Lane", exact: true }).waitFor();
}

/** Sets two notes, on a track and on a section. */
export async function annotate(page: Page): Promise<void> {
	await page.evaluate(() => {
		const viewer = document.querySelector<Viewer>("bev-viewer");
		if (!viewer) return;
		const note = { scene: 0, time: "2026-01-31T12:00:00.000Z" };
		viewer.notes = [
			{
				...note,
				id: "one",
				frames: [84, 120],
				text: "Brakes late, then stops beyond the line",
				tags: ["braking", "stop line"],
			},
			{ ...note, id: "two", track: "1", frames: [40, 40], text: "Cuts in", tags: [] },
		];
	});
	await page.getByRole("img", { name: /note/i }).first().waitFor({ state: "attached" });
}

/** Scenarios of Waymo and two submissions, of which the second is worse, at `/results`. */
export async function submissions(): Promise<Map<string, Uint8Array>> {
	const scenarios = ["a", "b", "c"].map((id, i) => ({
		id,
		x: 1000 + 200 * i,
		by: 3 * i,
	}));
	const made = (count: number, method: string, worse: number) =>
		submission(
			scenarios.map(({ id, x, by }) => ({
				id,
				scenes: asideScenes(count, x, worse * by),
			})),
			method,
		);
	const recorded = scenarios.map(({ id, x }) => waymoScenario(id, x, LONG));
	return new Map([
		["/results/a.tfrecord", tfrecords(...recorded)],
		["/results/made.binproto", made(32, "Example model", 0.1)],
		["/results/other.binproto", made(8, "Other model", 1)],
	]);
}

/** Drops a model; `good` is whether its inputs are understood. */
export async function runLive(page: Page, good: boolean): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "bevscope-"));
	try {
		const path = join(folder, good ? "velocity.onnx" : "damaged.onnx");
		const file = velocityModel(50);
		writeFileSync(path, good ? file : file.subarray(0, 200));
		await app.dropFiles(page, [path]);
		const controller = await app.controllerOf(page);
		await page.waitForFunction(
			({ state: { live } }) => live?.times || live?.phase === "failed",
			controller,
		);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** Addresses of those submissions. */
export const BOTH_RESULTS = "/results/made.binproto|/results/other.binproto";

/** Opens those scenarios, then submissions; `futures` is what is shown of them. */
export async function simulateJointly(
	page: Page,
	rollout: string,
	futures?: string,
): Promise<void> {
	const controller = await app.controllerOf(page);
	await controller.evaluate(
		async (it, given) => {
			await it.open({ kind: "address", address: "/results/a.tfrecord" });
			it.adjust(given);
			it.seek(40);
		},
		{ rollout, futures },
	);
	await page.waitForFunction(
		({ state: { futures } }) => futures?.sets.every(({ here }) => here),
		controller,
	);
}

/** Ranks both submissions until 3 s; `rows` is the table and its settings. */
export async function rankSubmissions(page: Page, rows: string): Promise<void> {
	await simulateJointly(page, BOTH_RESULTS, "3s");
	const controller = await app.controllerOf(page);
	await controller.evaluate(({ store }, distributions) => {
		store.patch({ distributions });
	}, rows);
}

/** Drops three files of scores on those scenarios. */
export async function scoreFiles(page: Page): Promise<void> {
	const controller = await app.controllerOf(page);
	await controller.evaluate((it) =>
		it.open({ kind: "address", address: "/results/a.tfrecord" }),
	);
	await page.evaluate(() => {
		const data = new DataTransfer();
		for (const [name, ade] of [
			["model.csv", 1.2],
			["other-model-with-a-long-name.csv", 1.7],
			["third.csv", 0.9],
		])
			data.items.add(
				new File([`scenario_id,ade\na,${ade}\nb,${ade}\nz,2\n`], `${name}`),
			);
		const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true });
		document.querySelector("bev-viewer")?.dispatchEvent(drop);
	});
	await app.openTab(page, "Predictions");
	await page.getByText("Scores: third.csv").waitFor();
}

/** Cameras and lidar of frames 80 to 92, at `/sensors`. */
export async function sensors(): Promise<Map<string, Uint8Array>> {
	const rows = Array.from({ length: 13 }, (_, k) => ({ frame: 80 + k }));
	const last = { frame: 91, absent: ["left"], damaged: ["right"], points: 4000 };
	const all = rows.map((row) => (row.frame === 91 ? last : { ...row, points: 4000 }));
	const objects = await sensorDataset({ rows: all });
	return new Map([...objects].map(([key, bytes]) => [`/sensors/${key}`, bytes]));
}

/** Drops files with these contents. */
async function dropBytes(
	page: Page,
	files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
	const encoded = Object.entries(files).map(
		([name, content]) => [name, Buffer.from(content).toString("base64")] as const,
	);
	await page.evaluate((given) => {
		const data = new DataTransfer();
		for (const [name, content] of given) {
			const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
			data.items.add(new File([bytes], name));
		}
		const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true });
		document.querySelector("bev-viewer")?.dispatchEvent(drop);
	}, encoded);
}

/** Opens a simulation of nuPlan, and drops one of the same scenario on it. */
export async function joinSimulation(page: Page): Promise<void> {
	await dropBytes(page, { "ab.msgpack.xz": simulationLog() });
	await page.getByRole("switch", { name: "Vehicles 1" }).waitFor();
	await app.settled(page);
	await dropBytes(page, { "cd.msgpack.xz": simulationLog() });
	await page.getByText("Road users hit").waitFor();
}

/** Drops scores of two planners on those scenarios, and one of them again. */
export async function planners(page: Page): Promise<void> {
	const controller = await app.controllerOf(page);
	await controller.evaluate((it) =>
		it.open({ kind: "address", address: "/results/a.tfrecord" }),
	);
	const head =
		"planner_name,scenario_type,log_name,scenario_id,frames,ego_is_comfortable";
	const row = (planner: string, id: string) => `${planner},type,log,${id},150,1`;
	const rows = ["idm", "a-network-with-a-long-name"].flatMap((planner) =>
		["a", "b", "z"].map((id) => row(planner, id)),
	);
	await dropBytes(page, { "planners.csv": [head, ...rows, ""].join("\n") });
	await app.openTab(page, "Predictions");
	await page.getByText("Scores: idm").waitFor();
}

/** Drops a zipped submission to INTERPRET on those scenarios, of which it is none. */
export async function otherArchive(page: Page): Promise<void> {
	const controller = await app.controllerOf(page);
	await controller.evaluate((it) =>
		it.open({ kind: "address", address: "/results/a.tfrecord" }),
	);
	const text = "case_id,track_id,frame_id,x1,y1,psi_rad1\n1,3,11,1,2,0\n1,3,12,2,2,0\n";
	const member = ["DR_CHN_Merging_ZS0_sub.csv", Buffer.from(text)] as const;
	await dropBytes(page, { "sub.zip": zipOf([member], () => true) });
	await page.getByText(/sub\.zip: opened; this scene is not in it/).waitFor();
}

/** The example of nuScenes, at `/results/nuscenes`. */
export async function nuscenes(): Promise<Map<string, Uint8Array>> {
	const encoder = new TextEncoder();
	return new Map(
		[...NUSCENES_FILES].map(([path, text]) => [
			`/results/nuscenes/${path}`,
			encoder.encode(text),
		]),
	);
}

/** Opens that, and drops predictions of two samples on it. */
export async function predictSamples(page: Page): Promise<void> {
	const controller = await app.controllerOf(page);
	await controller.evaluate(
		(it, address) => it.open({ kind: "address", address }),
		`/results/nuscenes/${NUSCENES_VERSION}`,
	);
	await app.settled(page);
	await controller.evaluate((it) => it.seek(6));
	const made = [2, 4, 8].map((instance) => nuscenesPrediction(instance, 4));
	const file = JSON.stringify([...made, nuscenesPrediction(2, 10)]);
	const zip = zipOf([["submission.json", Buffer.from(file)]], () => true);
	await dropBytes(page, { "predictions.zip": zip });
	await page.waitForFunction(
		({ state: { futures } }) => futures?.sets.every(({ here }) => here),
		controller,
	);
}
