import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { launch, openPage, serve } from "../../browser/harness.js";
import { GOLDENS } from "../../support/goldens.js";
import { readNpz } from "../../support/npz.js";

// L5Kit's samples per second in Chromium, on one thread: as views of WebAssembly
// memory, and delivered to the page in recycled batches. `scripts/bench l5kit` measures
// L5Kit first and passes its rates in the file L5KIT_RATES; then each line also prints
// the speedup and its minimum.

/** Duration of each measurement. */
const MS = 1500;

type Image = "none" | "u8" | "f32";

interface Views {
	readonly wrong: number;
	/** Seconds per sample. */
	readonly whole: Readonly<Partial<Record<Image, number>>>;
	/** Seconds to find and decode a sample's data. */
	readonly read: Readonly<Partial<Record<Image, number>>>;
}

interface Case {
	readonly config: string;
	readonly kind: "ego" | "agent";
	readonly vectorized?: boolean;
	/** Minimum multiple of L5Kit's rate: for u8 planes or vectors. For f32, half of it. */
	readonly floor: number;
	readonly aim: number;
}

const CASES: readonly Case[] = [
	{ config: "B_stub", kind: "ego", floor: 10, aim: 10 },
	{ config: "B_stub", kind: "agent", floor: 10, aim: 10 },
	{ config: "D_sem", kind: "ego", floor: 5, aim: 10 },
	{ config: "D_sem", kind: "agent", floor: 5, aim: 10 },
	{ config: "B_box", kind: "ego", floor: 10, aim: 15 },
	{ config: "B_box", kind: "agent", floor: 10, aim: 15 },
	{ config: "A_sat", kind: "ego", floor: 3, aim: 6 },
	{ config: "V1", kind: "ego", vectorized: true, floor: 10, aim: 20 },
];

/** Minimum multiple of L5Kit's rate for selecting agents. */
const MASK_FLOOR = 10;

const at = (path: string): string =>
	fileURLToPath(new URL(`../../../${path}`, import.meta.url));

function configOf(name: string): string {
	const manifest = JSON.parse(readFileSync(`${GOLDENS}/manifest.json`, "utf8")) as {
		configs: Record<string, unknown>;
	};
	return JSON.stringify(manifest.configs[name]);
}

/** L5Kit's rates, if they were measured before. */
function ratesOfL5Kit(): Readonly<Record<string, number>> {
	const file = process.env.L5KIT_RATES;
	if (!file || !existsSync(file)) return {};
	return JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
}

/** One of L5Kit's samples, which is compared before measuring. */
function checked({ config, kind, vectorized }: Case) {
	const folder = `${GOLDENS}/outputs/${vectorized ? "vector" : "samples"}`;
	const golden = readNpz(`${folder}/${config}_single_${kind}.npz`);
	const index = Number(golden.get("indices")?.data[1]);
	const name = "target_positions";
	const array = (of: string) =>
		golden.get(`${String(index).padStart(5, "0")}.${of}`)?.data;
	const indices = Array.from(golden.get("indices")?.data ?? [], Number);
	// Some frames are outside the aerial image: use only those of the golden files.
	const only = config === "A_sat" ? indices : null;
	const picture = array("image");
	const image = picture
		? createHash("sha256").update(Uint8Array.from(picture, Number)).digest("hex")
		: null;
	return { index, name, data: Array.from(array(name) ?? [], Number), only, image };
}

/** Calls one of the page's measurements. */
function measure<T>(page: Page, name: string, ...given: unknown[]): Promise<T> {
	const args = given.map((one) => JSON.stringify(one)).join(", ");
	const script = `import("/bench/samples.page.js").then((it) => it.measures.${name}(${args}))`;
	return page.evaluate<T>(script);
}

const line = (title: string, rate: number, unit: string, beside = ""): void =>
	console.log(`${title.padEnd(38)} ${rate.toFixed(0).padStart(9)} ${unit}  ${beside}`);

/** Prints rates next to L5Kit's, and collects those below their minimum. */
class Comparison {
	readonly #rates = ratesOfL5Kit();
	readonly below: string[] = [];

	line(
		title: string,
		rate: number,
		unit: string,
		of: string,
		goals: string,
		floor: number,
	) {
		const theirs = this.#rates[of];
		if (theirs === undefined) return line(title, rate, unit, goals);
		const ratio = rate / theirs;
		if (ratio < floor) this.below.push(title);
		line(
			title,
			rate,
			unit,
			`${ratio.toFixed(1)}x of L5Kit's ${theirs.toFixed(0)}, ${goals}`,
		);
	}
}

/** Prints how the time of a sample is spent, in microseconds. */
function printParts(title: string, { whole, read }: Views): void {
	const images = (["u8", "f32"] as const).filter((image) => whole[image] !== undefined);
	const known = (of: Views["whole"], image: Image): number => of[image] ?? Number.NaN;
	const assemble = known(whole, "none") - known(read, "none");
	const parts = { decode: known(read, images[0] ?? "none"), assemble };
	const drawn = known(whole, "u8") - known(read, "u8") - assemble;
	const converted = known(whole, "f32") - known(whole, "u8");
	const all =
		images.length === 0 ? parts : { ...parts, draw: drawn, convert: converted };
	const sum = Object.values(all).reduce((a, b) => a + b, 0);
	const text = Object.entries(all).map(([part, seconds]) => {
		const share = ((100 * seconds) / sum).toFixed(0);
		return `${part} ${(seconds * 1e6).toFixed(1)} us (${share} %)`;
	});
	console.log(`  ${title}: ${text.join(", ")}`);
}

async function toViews(page: Page, origin: string, one: Case, shown: Comparison) {
	const { config, kind, vectorized = false, floor, aim } = one;
	const hasImage = !vectorized && config !== "B_stub";
	const images: Image[] = hasImage ? ["u8", "f32", "none"] : ["none"];
	const views = await measure<Views>(
		page,
		"toViews",
		{
			root: `${origin}/goldens/single_scene.zarr`,
			inputs: `${origin}/goldens`,
			config: configOf(config),
			kind,
			vectorized,
			images,
			checked: checked(one),
		},
		MS,
	);
	expect(views.wrong).toBe(0);
	for (const image of images) {
		if (image === "none" && hasImage) continue;
		const least = image === "f32" ? floor / 2 : floor;
		const goals = `floor ${least}x${image === "f32" ? "" : `, aim ${aim}x`}`;
		const title = `${config} ${kind}, views${hasImage ? `, ${image}` : ""}`;
		const rate = 1 / (views.whole[image] ?? Number.NaN);
		const of = `${config} ${vectorized ? "vector" : kind}`;
		shown.line(title, rate, "samples/s", of, goals, least);
	}
	printParts(`${config} ${kind}`, views);
}

async function delivered(page: Page, origin: string, one: Case) {
	const { config, kind } = one;
	const batch = config === "B_stub" ? 64 : 8;
	const { rate } = await measure<{ rate: number }>(
		page,
		"delivered",
		`${origin}/goldens/single_scene.zarr`,
		`${origin}/goldens`,
		configOf(config),
		kind,
		"f32",
		checked(one).only,
		batch,
	);
	line(`${config} ${kind}, delivered, batches of ${batch}`, rate, "samples/s");
}

async function selected(page: Page, origin: string, shown: Comparison) {
	const mask = readNpz(`${GOLDENS}/outputs/select/single_th0.5.npz`);
	const counts = Array.from([...mask.values()][0]?.data ?? [], Number);
	const items = counts.filter(
		(past, i) => i % 2 === 0 && past >= 10 && (counts[i + 1] ?? 0) >= 1,
	);
	const root = `${origin}/goldens/single_scene.zarr`;
	const given = [root, configOf("B_stub"), MS] as const;
	const { rate, found } = await measure<{ rate: number; found: number }>(
		page,
		"selected",
		...given,
	);
	expect(found).toBe(items.length);
	const goals = `floor ${MASK_FLOOR}x`;
	shown.line("agents selected", rate, "agents/s", "mask", goals, MASK_FLOOR);
}

it.skipIf(!GOLDENS)(
	"samples a second, and agents selected",
	async () => {
		const [server, browser] = await Promise.all([
			serve({}, { "/bench/": at("tests/bench/browser") }),
			launch(),
		]);
		const { page } = await openPage(browser, server);
		const shown = new Comparison();
		for (const one of CASES) {
			await toViews(page, server.origin, one, shown);
			if (!one.vectorized) await delivered(page, server.origin, one);
		}
		await selected(page, server.origin, shown);
		await browser.close();
		await server.close();
		expect(shown.below).toEqual([]);
	},
	600_000,
);
