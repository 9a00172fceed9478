import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ViewerController } from "../../../src/elements/session/controller.js";
import type {
	Opened,
	Place,
	TransferStats,
} from "../../../src/elements/session/dataset.js";
import { absenceOf } from "../../../src/elements/session/source-state.js";
import { fakeDataset } from "../../support/fake-dataset.js";
import { FakeTicker } from "../../support/fake-ticker.js";

const PLACE: Place = { kind: "address", address: "https://host/town.zarr" };
const NOW = 1_700_000_000_000;
const STATS = { bytes: 1, requests: 1, absentChunks: 0 };

/** A fake data set whose statistics the test changes. */
function told(first: Partial<TransferStats> = {}) {
	let stats: TransferStats = { ...STATS, ...first };
	const listeners = new Set<(stats: TransferStats) => void>();
	const opened: Opened = fakeDataset({ frames: 30 });
	const dataset = Object.assign(opened.dataset, {
		onStats: (listener: (stats: TransferStats) => void) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		forgetFailures: vi.fn(),
	});
	Object.defineProperty(dataset, "stats", { get: () => stats });
	const tell = (next: Partial<TransferStats>): void => {
		stats = { ...STATS, ...next };
		for (const listener of listeners) listener(stats);
	};
	return { opened, tell, dataset, listeners };
}

async function open(all: ReturnType<typeof told>) {
	const opener = vi.fn(async () => all.opened);
	const controller = new ViewerController({ opener, ticker: new FakeTicker() });
	await controller.open(PLACE, { scene: 1, frame: 4 });
	return { controller, opener, ...all };
}

beforeEach(() => {
	vi.useFakeTimers({ now: NOW });
});
afterEach(() => vi.useRealTimers());

describe("a wait requested by the server", () => {
	it("counts down every second and disappears", async () => {
		const { controller, tell } = await open(told());
		tell({ waiting: { key: "agents/3", seconds: 20, until: NOW + 19_500 } });
		expect(controller.state.serverWait).toEqual({ key: "agents/3", seconds: 20 });
		const seen: unknown[] = [];
		controller.store.subscribe(({ serverWait }) => seen.push(serverWait?.seconds));
		vi.advanceTimersByTime(500);
		expect(controller.state.serverWait?.seconds).toBe(19);
		vi.advanceTimersByTime(18_000);
		expect(controller.state.serverWait?.seconds).toBe(1);
		vi.advanceTimersByTime(1000);
		expect(controller.state.serverWait).toBeUndefined();
		expect(seen).toEqual([...Array.from({ length: 19 }, (_, k) => 19 - k), undefined]);
		expect(vi.getTimerCount()).toBe(0);
	});

	it("ends on time, is replaced by a longer one, and ends with the data set", async () => {
		const { controller, tell, listeners } = await open(told());
		tell({ waiting: { key: "agents/3", seconds: 20, until: NOW + 20_000 } });
		tell({ waiting: { key: "agents/4", seconds: 30, until: NOW + 30_000 } });
		expect(controller.state.serverWait).toEqual({ key: "agents/4", seconds: 30 });
		tell({});
		expect(controller.state.serverWait).toBeUndefined();
		tell({ waiting: { key: "agents/5", seconds: 30, until: NOW + 30_000 } });
		controller.close();
		expect(controller.state.serverWait).toBeUndefined();
		expect(listeners.size).toBe(0);
		expect(vi.getTimerCount()).toBe(0);
	});
});

describe("a key presumed absent", () => {
	it("is reported once, with its consequence", async () => {
		const presumedAbsent = ["traffic_light_faces/.zarray", ".zmetadata"];
		const { controller, tell } = await open(told({ presumedAbsent }));
		expect(controller.state.presumedAbsent).toEqual(["traffic_light_faces/.zarray"]);
		expect(absenceOf("traffic_light_faces/.zarray")).toEqual({
			what: "traffic_light_faces",
			why: "unreadable response, treated as absent: no traffic lights are displayed",
		});
		controller.dismissAbsence();
		tell({ presumedAbsent: [...presumedAbsent, ".zattrs"] });
		expect(controller.state.presumedAbsent).toEqual([".zattrs"]);
	});

	it("is read again by reopening at the same position", async () => {
		const { controller, opener } = await open(told({ presumedAbsent: [".zattrs"] }));
		opener.mockResolvedValueOnce(told().opened);
		await controller.reopen();
		expect(controller.state.presumedAbsent).toEqual([]);
		expect(controller.state).toMatchObject({ phase: "ready", scene: 1, frame: 4 });
		opener.mockResolvedValueOnce(told({ presumedAbsent: [".zattrs"] }).opened);
		await controller.reopen();
		expect(controller.state.presumedAbsent).toEqual([".zattrs"]);
	});
});
