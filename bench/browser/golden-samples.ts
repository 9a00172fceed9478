import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { openPage, serve } from "../../tests/browser/harness.js";
import { launch } from "../../tests/support/engines.js";
import { GOLDENS } from "../../tests/support/goldens.js";
import { readNpz } from "../../tests/support/npz.js";

// What the benchmarks of samples in Chromium share.

export type Image = "none" | "u8" | "f32";

export interface Views {
	readonly wrong: number;
	/** Seconds per sample. */
	readonly whole: Readonly<Partial<Record<Image, number>>>;
	/** Seconds to find and decode a sample's data. */
	readonly read: Readonly<Partial<Record<Image, number>>>;
}

/** What the page's `delivered` returns. */
export interface Delivered {
	/** Samples per second. */
	readonly rate: number;
	readonly wrong: number;
}

/** A config of the golden files, and a data set. */
export interface SampleCase {
	readonly config: string;
	readonly kind: "ego" | "agent";
	readonly vectorized?: boolean;
}

const at = (path: string): string =>
	fileURLToPath(new URL(`../../${path}`, import.meta.url));

export function configOf(name: string): string {
	const manifest = JSON.parse(readFileSync(`${GOLDENS}/manifest.json`, "utf8")) as {
		configs: Record<string, unknown>;
	};
	return JSON.stringify(manifest.configs[name]);
}

/** One of L5Kit's samples, which is compared before measuring. */
export function checked({ config, kind, vectorized }: SampleCase) {
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
export function measure<T>(page: Page, name: string, ...given: unknown[]): Promise<T> {
	const args = given.map((one) => JSON.stringify(one)).join(", ");
	const script = `import("/bench/samples.page.js").then((it) => it.measures.${name}(${args}))`;
	return page.evaluate<T>(script);
}

/** What the page's `toViews` is asked for. */
export function viewsOf(origin: string, one: SampleCase, images: readonly Image[]) {
	const { config, kind, vectorized = false } = one;
	return {
		root: `${origin}/goldens/single_scene.zarr`,
		inputs: `${origin}/goldens`,
		config: configOf(config),
		kind,
		vectorized,
		images,
		checked: checked(one),
	};
}

/** Opens a page that has the measurements; close the browser and the server. */
export async function openBench() {
	const [server, browser] = await Promise.all([
		serve({}, { "/bench/": at("bench/browser"), "/modules/": at("build/modules/") }),
		launch(),
	]);
	const { page } = await openPage(browser, server);
	const close = async (): Promise<void> => {
		await browser.close();
		await server.close();
	};
	return { page, origin: server.origin, close };
}
