import { afterEach, describe, expect, it, vi } from "vitest";
import { futuresCsv, futuresNpz } from "../../../../tests/support/own-futures.js";
import { smoothScenes, submission } from "../../../../tests/support/submission.js";
import { zipOf } from "../../../../tests/support/zip.js";
import {
	HEAD_BYTES,
	isFuturesFile,
	isNuscenes,
	isSubmission,
	rangedUrl,
} from "../../../src/elements/futures/ranged-file.js";

const scenes = smoothScenes(2);
const text = (value: string) => new TextEncoder().encode(value);
const latin1 = (value: string) => Array.from(value, (c) => c.charCodeAt(0));
const PREDICTION = '[{"instance": "i", "sample": "s", "prediction": [[[1, 2]]]}]';

describe("elements/futures/ranged-file", () => {
	it("tells submissions and futures of our own form by their first bytes", () => {
		for (const file of [
			submission([{ id: "a", scenes }]),
			futuresNpz("a", scenes),
			futuresCsv("a", scenes),
			text("case_id,track_id,frame_id,timestamp_ms,x1,y1\n1.0,3,11,1100,1,2\n"),
			Uint8Array.of(0x80, 4, ...latin1("\x95]}(\x8c\x0bscenario_id\x8c\x0apred_trajs")),
			Uint8Array.of(0x80, 4, ...latin1("\x95}(\x8c\x01x\x94\x8c\x16numpy")),
			text('\ufeff# name: x\r\n\r\nx,y,step,track_id,"scenario_id"\r\n1,2,3,4,a'),
		]) {
			expect(isSubmission(file.subarray(0, HEAD_BYTES))).toBe(true);
		}
	});

	it("leaves predictions, scores, archives and documents to others", () => {
		for (const file of [
			text("timestamp,track_id,conf_0,coord_x00\n1,2,3,4\n"),
			text("scenario_id,agents,ade\na,2,0.5\n"),
			text('{"format": "bevscope-notes"}'),
			zipOf([["a.zarr/.zgroup", text("{}")]]),
			Uint8Array.of(0x80, 4, ...latin1("\x95}(\x8c\x02id\x8c\x07version")),
			text(PREDICTION),
			text("PK\u0003\u0004"),
			new Uint8Array(),
		]) {
			expect(isSubmission(file)).toBe(false);
		}
	});

	it("tells predictions for nuScenes from other lists", () => {
		expect(isNuscenes(text(` ${PREDICTION}`))).toBe(true);
		for (const other of ['[{"instance": 1}]', `{"a": ${PREDICTION}}`, ""])
			expect(isNuscenes(text(other))).toBe(false);
	});

	it("tells Parquet of our form by the columns in its end", async () => {
		const file = (names: readonly string[]) =>
			new Blob([
				Uint8Array.from(
					latin1(
						`PAR1${names.map((one) => `\x18${String.fromCharCode(one.length)}${one}`).join("")}PAR1`,
					),
				),
			]);
		const ours = ["scenario_id", "track_id", "step", "x", "y"];
		expect(await isFuturesFile(file(ours))).toBe(true);
		expect(await isFuturesFile(file(ours.slice(0, 4)))).toBe(false);
		const forecasts = ["scenario_id", "track_id", "predicted_trajectory_x", "timestep"];
		expect(await isFuturesFile(file(forecasts))).toBe(false);
		expect(await isFuturesFile(new Blob([text("PAR")]))).toBe(false);
	});

	afterEach(() => vi.unstubAllGlobals());

	/** Opens a file of a server with its side file; returns it and what was asked for. */
	async function served(size: number, side: Response) {
		const asked: string[] = [];
		vi.stubGlobal("fetch", async (url: URL | string) => {
			asked.push(String(url));
			if (String(url).includes(".index.json")) return side;
			const headers = {
				"Content-Range": `bytes 0-4095/${size}`,
				"Last-Modified": "Mon, 30 Nov 2026 08:00:00 GMT",
			};
			return new Response(new Uint8Array(4096), { status: 206, headers });
		});
		const url = new URL("https://h.test/m.binproto?token=1");
		const file = await rangedUrl(url, "m", new AbortController().signal);
		return { asked, file };
	}

	const dated = (text: string, time: string) =>
		new Response(text, { headers: { "Last-Modified": time } });

	it("takes the index beside a large file, and says if it is older", async () => {
		const time = "Mon, 30 Nov 2026 08:00:00 GMT";
		const { asked, file } = await served(2 ** 24, dated("{}", time));
		expect(file.sideFile).toEqual({ text: "{}", isOlder: false });
		expect(asked).toEqual([
			"https://h.test/m.binproto?token=1",
			"https://h.test/m.binproto.index.json?token=1",
		]);
		const before = dated("{}", "Mon, 30 Nov 2026 07:59:59 GMT");
		const older = await served(2 ** 24, before);
		expect(older.file.sideFile).toEqual({ text: "{}", isOlder: true });
	});

	it("asks for none beside a small file, and does without one", async () => {
		const { asked } = await served(2 ** 24 - 1, new Response("{}"));
		expect(asked).toHaveLength(1);
		for (const side of [
			new Response("", { status: 404 }),
			new Response("<!doctype html>"),
			new Response("{}", { headers: { "Content-Length": `${2 ** 26}` } }),
		]) {
			expect((await served(2 ** 30, side)).file.sideFile).toBeUndefined();
		}
	});
});
