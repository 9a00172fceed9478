import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { GOLDENS } from "../support/goldens.js";
import { readNpz } from "../support/npz.js";
import {
	type Given,
	openPage,
	runInPage,
	STRICT_CSP,
	serve,
	useServers,
} from "./harness.js";

function configs(): Record<string, string> {
	if (!GOLDENS) return {};
	const manifest = JSON.parse(readFileSync(`${GOLDENS}/manifest.json`, "utf8")) as {
		configs: Record<string, unknown>;
	};
	const files = Object.entries(manifest.configs);
	return Object.fromEntries(
		files.map(([name, config]) => [`/configs/${name}.json`, JSON.stringify(config)]),
	);
}

const at = useServers({ server: () => serve(configs()) });

let page: Page;

/**
 * Runs `work` in a page with a strict policy; `url` is the goldens' inputs, its hash
 * `given`.
 */
async function inPage<T>(work: (given: Given) => Promise<T>, given = ""): Promise<T> {
	at.server.csp = STRICT_CSP;
	const opened = await openPage(at.browser, at.server);
	page = opened.page;
	const got = await runInPage(page, work, `${at.server.origin}/goldens#${given}`);
	// Ignores 404s of optional metadata, which the page itself requests.
	expect(opened.complaints.filter((text) => !text.includes("404"))).toEqual([]);
	return got;
}

/** Returns the chunks that were read, without metadata. */
const chunks = (): string[] =>
	at.server.asked("/goldens/").filter((path) => !path.includes("/.z"));

const distinct = <T>(all: readonly T[]): T[] => [...new Set(all)];

describe.skipIf(!GOLDENS)("browser/samples", () => {
	it("a cold sample takes at most four rounds and reads nothing twice", async () => {
		const golden = readNpz(`${GOLDENS}/outputs/samples/B_stub_multi_agent.npz`);
		const index = String(golden.get("indices")?.data[0]).padStart(5, "0");
		const of = (key: string): string => String(golden.get(`${index}.${key}`)?.data[0]);
		const track = ["scene_index", "frame_index", "track_id"].map(of).join(",");
		const rounds = await inPage(coldRounds, track);
		expect(rounds.ego).toBeLessThanOrEqual(4);
		expect(rounds.agent).toBeLessThanOrEqual(4);
		expect(rounds.twice).toEqual([]);
	});

	it("the samples of a scene read every chunk once", async () => {
		const shape = await inPage(async ({ lib, url }) => {
			const config = await (await fetch("/configs/B_stub.json")).json();
			const dataset = await lib.ChunkedDataset.open(
				`${url.split("#")[0]}/multi_scene.zarr`,
			);
			const ego = await lib.EgoDataset.create(config, dataset, { image: "none" });
			const shapes: (readonly number[])[] = [];
			for await (const batch of ego.samples({ scenes: [2], batch: 20, prefetch: 3 })) {
				shapes.push(batch.target_positions.shape);
			}
			dataset.close();
			return shapes;
		});
		expect(shape).toEqual([1, 2, 3].map(() => [20, 50, 2]));
		expect(distinct(chunks())).toEqual(chunks());
		expect(chunks().length).toBeGreaterThan(3);
	});

	it("a thousand random samples stay within the byte budget", async () => {
		const got = await inPage(async ({ lib, url }) => {
			const config = await (await fetch("/configs/B_stub.json")).json();
			const byteBudget = 16_000;
			const dataset = await lib.ChunkedDataset.open(
				`${url.split("#")[0]}/multi_scene.zarr`,
				{
					byteBudget,
				},
			);
			let most = 0;
			dataset.onStats(({ cache }) => {
				most = Math.max(most, cache.bytesHeld);
			});
			const ego = await lib.EgoDataset.create(config, dataset, { image: "none" });
			let state = 1;
			const random = () => {
				state = (state * 48_271) % 2_147_483_647;
				return state % ego.length;
			};
			const indices = Array.from({ length: 1000 }, random);
			const seen: number[] = [];
			// One at a time, since each prefetched sample would occupy memory.
			const options = { indices, recycle: true, prefetch: 0 };
			for await (const sample of ego.samples(options)) {
				const { scene_index, frame_index } = sample;
				seen.push(60 * Number(scene_index.data[0]) + Number(frame_index.data[0]));
			}
			const { evictions } = dataset.stats.cache;
			dataset.close();
			return { most, evictions, same: String(seen) === String(indices), byteBudget };
		});
		expect(got.same).toBe(true);
		expect(got.evictions).toBeGreaterThan(0);
		expect(got.most).toBeLessThanOrEqual(got.byteBudget);
	});

	it("cancels its reads when iteration ends or is aborted", async () => {
		at.server.fault({ match: /agents\/\d+$/, times: 50, delayMs: 20_000 });
		const said = inPage(async ({ lib, url }) => {
			const config = await (await fetch("/configs/B_box.json")).json();
			const dataset = await lib.ChunkedDataset.open(
				`${url.split("#")[0]}/multi_scene.zarr`,
			);
			const control = new AbortController();
			const agents = await lib.AgentDataset.create(config, dataset, { image: "none" });
			const indexing = agents.index({ signal: control.signal });
			const why = new Error("no more");
			addEventListener("leave", () => control.abort(why), { once: true });
			return indexing.then(
				() => "indexed",
				(error) => error.message,
			);
		});
		const reads = () => at.server.log.filter(({ path }) => /agents\/\d+$/.test(path));
		await expect.poll(() => reads().length).toBeGreaterThan(0);
		await page.evaluate(() => dispatchEvent(new Event("leave")));
		expect(await said).toBe("no more");
		await expect.poll(() => reads().every(({ aborted }) => aborted)).toBe(true);
	});
});

describe.skipIf(!GOLDENS)("browser/samples: pictures", () => {
	const pictures = [
		["A_sem", "single_scene", "A_sem_single_ego"],
		["A_sat", "single_scene", "A_sat_single_ego"],
	] as const;

	it.each(pictures)("%s of %s equals L5Kit's, pixel by pixel", async (...names) => {
		const golden = readNpz(`${GOLDENS}/outputs/samples/${names[2]}.npz`);
		const index = String(golden.get("indices")?.data[0]);
		const { image, rgba } = await inPage(drawn, [names[0], names[1], index].join(","));
		const theirs = golden.get(`${index.padStart(5, "0")}.image`);
		expect(image.shape).toEqual(theirs?.shape);
		const differing = Array.from(theirs?.data ?? []).filter(
			(value, i) => value !== image.data[i],
		);
		expect(differing).toHaveLength(0);
		const [, height, width] = image.shape;
		expect(rgba).toEqual([width, height]);
	});
});

/** In the page: counts the rounds of reading a first sample, and objects read twice. */
async function coldRounds({ lib, url }: Given) {
	const [inputs = "", given = ""] = url.split("#");
	const [scene = 0, state = 0, track = 0] = given.split(",").map(Number);
	const config = await (await fetch("/configs/B_stub.json")).json();
	const twice: string[] = [];
	let begun = 0;
	/** A round begins when no read is pending. */
	const source = () => {
		const inner = new lib.FetchSource(`${inputs}/multi_scene.zarr`);
		const keys = new Set<string>();
		let inFlight = 0;
		const read: typeof inner.read = async (key, options) => {
			const id = `${key} ${options?.range?.begin}`;
			if (keys.has(id)) twice.push(id);
			keys.add(id);
			if (inFlight === 0) begun += 1;
			inFlight += 1;
			try {
				// Long enough for all requests of a round to arrive.
				await new Promise((resolve) => setTimeout(resolve, 100));
				return await inner.read(key, options);
			} finally {
				inFlight -= 1;
			}
		};
		return { read };
	};
	const options = { image: "none" } as const;
	const forEgo = await lib.ChunkedDataset.open(source());
	begun = 0;
	await (await lib.EgoDataset.create(config, forEgo, options)).sample(150);
	const ego = begun;
	forEgo.close();
	const forAgent = await lib.ChunkedDataset.open(source());
	begun = 0;
	const agents = await lib.AgentDataset.create(config, forAgent, options);
	await agents.getFrame(scene, state, BigInt(track));
	forAgent.close();
	return { ego, agent: begun, twice };
}

/** In the page: returns a raster's bytes, and the size of its RGBA form. */
async function drawn({ lib, url }: Given) {
	const [root = "", given = ""] = url.split("#");
	const [name, data, index] = given.split(",");
	const config = await (await fetch(`/configs/${name}.json`)).json();
	const dataset = await lib.ChunkedDataset.open(`${root}/${data}.zarr`);
	const ego = await lib.EgoDataset.create(config, dataset, { root, image: "u8" });
	const { image } = await ego.sample(Number(index));
	const seen = await lib.EgoDataset.create(config, dataset, { root, image: "rgba" });
	const { width, height } = lib.imageData(await seen.sample(Number(index)));
	const bytes = Array.from(image.data as Uint8Array);
	dataset.close();
	return { image: { data: bytes, shape: image.shape }, rgba: [width, height] };
}
