import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../web/src/elements/viewer/viewer.js";
import { tinyDataset } from "../support/tiny-dataset.js";
import { openPage, serve, useServers } from "./harness.js";

const SIZE = { scenes: 4, framesPerScene: 90, rowsPerChunk: 300 };
const WIDGET = fileURLToPath(new URL("../../python/bevscope/static/", import.meta.url));

/**
 * A model as notebooks provide it, which reads the data set from the server instead of a
 * kernel. `held` delays its answers until they are released.
 */
const MODEL = `
class Model {
	constructor(traits) {
		const plain = { state: "", scene: null, frame: null, selection: null, camera: null };
		const own = { _url: null, _name: "data.zarr", _folders: 0, _overlays: [], _predictions: null };
		this.traits = { height: 400, theme: "dark", error: null, ...plain, ...own, ...traits };
		this.listeners = new Map();
		this.saved = [];
		this.sent = [];
	}
	get(name) { return this.traits[name]; }
	set(name, value) {
		const same = JSON.stringify(this.traits[name]) === JSON.stringify(value);
		this.traits[name] = value;
		if (!same) this.emit("change:" + name);
	}
	save_changes() { this.saved.push({ ...this.traits }); }
	on(event, listener) {
		this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
	}
	off(event, listener) {
		this.listeners.set(event, (this.listeners.get(event) ?? []).filter((one) => one !== listener));
	}
	emit(event, ...args) { for (const one of this.listeners.get(event) ?? []) one(...args); }
	async send(content, _, buffers) {
		this.sent.push({ ...content, bytes: buffers?.[0]?.byteLength });
		const answer = { type: "answer", id: content.id };
		if (content.type === "predict") {
			const [batch] = content.inputs.find(({ name }) => name === "yaw").dims;
			const ahead = Float32Array.from({ length: batch * 20 }, (_, i) => (i % 2 ? 0 : i + 2));
			const outputs = [{ name: "positions", type: "float32", dims: [batch, 10, 2] }];
			this.emit("msg:custom", { ...answer, outputs }, [new DataView(ahead.buffer)]);
		}
		if (content.type === "address") this.emit("msg:custom", { ...answer, address: this.traits.address }, []);
		if (content.type !== "read") return;
		if (content.key.startsWith(this.traits.refused)) {
			const error = { code: "io", message: content.key + ": read failed: Input/output error" };
			this.emit("msg:custom", { ...answer, error }, []);
			return;
		}
		const response = content.folder === 0 ? await fetch("/data.zarr/" + content.key) : { ok: false };
		if (!response.ok) { this.emit("msg:custom", { ...answer, found: false }, []); return; }
		const [begin, end] = content.range ?? [];
		const bytes = (await response.arrayBuffer()).slice(begin, end);
		this.emit("msg:custom", { ...answer, found: true }, [new DataView(bytes)]);
	}
	listening() { return [...this.listeners.values()].flat().length; }
}
globalThis.Model = Model;
`;

const PAGE = `<!doctype html><title>notebook</title><div id="out"></div>
<script src="/model.js"></script>
<script type="module">
	import widget from "/widget/widget.js";
	globalThis.show = (traits) => {
		globalThis.model = new Model(traits);
		globalThis.remove = widget.render({ model, el: document.querySelector("#out") });
	};
</script>`;

const suite = useServers({
	own: () => {
		const data = [...tinyDataset(SIZE)].map(
			([key, bytes]) => [`/data.zarr/${key}`, bytes] as const,
		);
		const objects = {
			...Object.fromEntries(data),
			"/model.js": MODEL,
			"/nb.html": PAGE,
		};
		return serve(objects, { "/widget/": WIDGET });
	},
});

/** What the page's script defines. */
interface Shown {
	readonly show: (traits: object) => void;
	readonly remove: () => void;
	readonly model: {
		readonly traits: Readonly<Record<string, unknown>>;
		readonly saved: readonly Readonly<Record<string, unknown>>[];
		readonly sent: readonly Readonly<Record<string, unknown>>[];
		set(name: string, value: unknown): void;
		emit(event: string, ...args: unknown[]): void;
		listening(): number;
	};
}

/** Opens a notebook page, and displays the widget with `traits`. */
async function show(traits: object): Promise<Page> {
	const { page } = await openPage(suite.browser, suite.own, "/nb.html");
	await page.waitForFunction(() => "show" in globalThis);
	await page.evaluate((given) => (globalThis as unknown as Shown).show(given), traits);
	return page;
}

/** Does the same, and waits for the first frame. */
async function open(traits: object = {}): Promise<Page> {
	const page = await show(traits);
	await page.waitForFunction(
		() => typeof document.querySelector<Viewer>("bev-viewer")?.frame === "number",
	);
	return page;
}

/** Waits until the viewer displays scene and frame. */
async function displays(page: Page, scene: number, frame: number): Promise<void> {
	await page.waitForFunction(
		(wanted) => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			return viewer?.scene === wanted.scene && viewer.frame === wanted.frame;
		},
		{ scene, frame },
	);
}

describe("browser/notebook", () => {
	it("reads the data set through the kernel and draws the given frame", async () => {
		const page = await open({ scene: 2, frame: 7, selection: "ego" });
		await displays(page, 2, 7);
		const got = await page.evaluate(async () => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			await viewer?.settled;
			const { model } = globalThis as unknown as Shown;
			const reads = model.sent.filter(({ type }) => type === "read").length;
			const picture = (await viewer?.toBlob())?.size ?? 0;
			return {
				reads,
				picture,
				selection: viewer?.selection,
				height: viewer?.offsetHeight,
			};
		});
		expect(got).toMatchObject({ selection: "ego", height: 400 });
		expect(got.reads).toBeGreaterThan(4);
		expect(got.picture).toBeGreaterThan(1000);
	});

	it("moves traits from the notebook to the viewer and back", async () => {
		const page = await open();
		await displays(page, 0, 0);
		await page.evaluate(() => {
			const { model } = globalThis as unknown as Shown;
			model.set("frame", 30);
			model.set("scene", 3);
		});
		await displays(page, 3, 30);
		await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			viewer?.seek(31);
			if (viewer) viewer.selection = 2n ** 53n + 1n;
			if (viewer) viewer.camera = { x: 1, y: 2, span: 50, rotation: 0 };
		});
		await page.waitForFunction(() => {
			const { saved } = (globalThis as unknown as Shown).model;
			return String(saved.at(-1)?.state).includes("s=3&f=31");
		});
		const traits = await page.evaluate(() => {
			const { saved } = (globalThis as unknown as Shown).model;
			return saved.at(-1);
		});
		expect(traits).toMatchObject({
			scene: 3,
			frame: 31,
			selection: "9007199254740993",
			camera: { x: 1, y: 2, span: 50, rotation: 0 },
		});
		expect(traits?.state).toContain("f=31");
	});

	it("asks for a signed address, and stores it in no trait", async () => {
		const address = new URL("/data.zarr?X-Amz-Signature=planted", suite.own.origin)
			.href;
		const page = await open({ _url: "/data.zarr", _is_signed: true, address });
		await page.evaluate(() => document.querySelector<Viewer>("bev-viewer")?.seek(31));
		await page.waitForFunction(() => {
			const { saved } = (globalThis as unknown as Shown).model;
			return String(saved.at(-1)?.state).includes("f=31");
		});
		const { saved, sent } = await page.evaluate(() => {
			const { saved, sent } = (globalThis as unknown as Shown).model;
			return { saved: saved.map(({ address: _, ...rest }) => rest), sent };
		});
		expect(sent.map(({ type }) => type)).toContain("address");
		expect(JSON.stringify(saved)).not.toContain("planted");
	});

	it("follows the kernel and drops its own unsent changes", async () => {
		const page = await open();
		await displays(page, 0, 0);
		await page.evaluate(() => {
			const { model } = globalThis as unknown as Shown;
			document.querySelector<Viewer>("bev-viewer")?.seek(31);
			model.set("frame", 40);
		});
		await displays(page, 0, 40);
		// The next message after this one has been sent when the camera arrives.
		await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			if (viewer) viewer.camera = { x: 3, y: 2, span: 50, rotation: 0 };
		});
		const camera = () => (globalThis as unknown as Shown).model.traits.camera !== null;
		await page.waitForFunction(camera);
		await displays(page, 0, 40);
		const frame = () => (globalThis as unknown as Shown).model.traits.frame;
		expect(await page.evaluate(frame)).toBe(40);
	});

	it("stays where the user went, while its traits change one by one", async () => {
		const page = await open({ scene: 0, frame: 7 });
		await displays(page, 0, 7);
		await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			viewer?.controller?.goTo({ scene: 2, frame: 11 });
		});
		await page.waitForFunction(() => {
			const { traits } = (globalThis as unknown as Shown).model;
			return traits.scene === 2 && traits.frame === 11;
		});
		await displays(page, 2, 11);
	});

	it("draws overlays on the frame they belong to", async () => {
		const page = await open({ frame: 5 });
		const magenta = () =>
			page.evaluate(async () => {
				const viewer = document.querySelector<Viewer>("bev-viewer");
				await viewer?.settled;
				const blob = await viewer?.toBlob();
				if (!blob) return -1;
				const image = await createImageBitmap(blob);
				const canvas = new OffscreenCanvas(image.width, image.height);
				const ctx = canvas.getContext("2d");
				ctx?.drawImage(image, 0, 0);
				const { data = [] } = ctx?.getImageData(0, 0, image.width, image.height) ?? {};
				let count = 0;
				for (let at = 0; at < data.length; at += 4) {
					if (data[at] === 255 && data[at + 1] === 0 && data[at + 2] === 255)
						count += 1;
				}
				return count;
			});
		expect(await magenta()).toBe(0);
		await page.evaluate(() => {
			const { model } = globalThis as unknown as Shown;
			const viewer = document.querySelector<Viewer>("bev-viewer");
			const at = viewer?.controller?.state.shown?.ego.translation ?? [0, 0];
			const points = new DataView(Float64Array.of(at[0] ?? 0, at[1] ?? 0).buffer);
			const where = { scene: 0, frame: 5 };
			model.set("_overlays", [{ points, kind: "points", color: "#ff00ff", ...where }]);
		});
		await expect.poll(magenta).toBeGreaterThan(5);
		await page.evaluate(() => (globalThis as unknown as Shown).model.set("frame", 6));
		await displays(page, 0, 6);
		expect(await magenta()).toBe(0);
	});

	it("lets the kernel's model predict the displayed frame", async () => {
		const page = await open({ scene: 0, frame: 20 });
		const predictions = () =>
			page.evaluate(() =>
				(globalThis as unknown as Shown).model.sent
					.filter(({ type }) => type === "predict")
					.map(({ inputs }) => (inputs as { name: string }[]).map(({ name }) => name)),
			);
		expect(await predictions()).toEqual([]);
		const traits = { name: "Kernel net", image: "none", vectorized: false };
		await page.evaluate(
			(model) => (globalThis as unknown as Shown).model.set("_model", model),
			{ ...traits, config: null, settings: null },
		);
		await expect.poll(async () => (await predictions()).length).toBeGreaterThan(0);
		expect((await predictions())[0]).toContain("history_positions");
		const { length } = await predictions();
		await page.evaluate(() => {
			const viewer = document.querySelector<Viewer>("bev-viewer");
			if (viewer) viewer.frame = 21;
		});
		await expect.poll(async () => (await predictions()).length).toBeGreaterThan(length);
	});

	it("reports a failed read of the kernel, and shows no frame for it", async () => {
		const page = await show({ refused: "agents/0" });
		await page.waitForFunction(
			() => (globalThis as unknown as Shown).model.traits.error !== null,
		);
		const got = await page.evaluate(() => ({
			error: (globalThis as unknown as Shown).model.traits.error,
			frame: document.querySelector<Viewer>("bev-viewer")?.frame,
		}));
		expect(got.error).toContain("Input/output error");
		expect(got.frame).toBeNull();
	});

	it("sends a screenshot when the kernel asks", async () => {
		const page = await open();
		await page.evaluate(() => {
			const { model } = globalThis as unknown as Shown;
			model.emit("msg:custom", { type: "screenshot", id: "shot-0" }, []);
		});
		await page.waitForFunction(() =>
			(globalThis as unknown as Shown).model.sent.some(
				({ type, bytes }) => type === "screenshot" && Number(bytes) > 1000,
			),
		);
	});

	it("stops listening when its output is removed", async () => {
		const page = await open();
		const left = await page.evaluate(() => {
			const { model, remove } = globalThis as unknown as Shown;
			remove();
			const shown = document.querySelectorAll("bev-viewer").length;
			return { listening: model.listening(), shown };
		});
		expect(left).toEqual({ listening: 0, shown: 0 });
	});
});
