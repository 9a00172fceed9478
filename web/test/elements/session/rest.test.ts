import { describe, expect, it, vi } from "vitest";
import type { TimelineOptions } from "../../../src/dataset/timeline.js";
import { readRest, readTimelineRest } from "../../../src/elements/session/rest.js";
import { fakeTimeline } from "../../support/fake-timeline.js";

const { signal } = new AbortController();

/** A read that fails while it reads one of the broken parts. */
function reads(...broken: ("agents" | "lights")[]) {
	return vi.fn(async (parts: TimelineOptions) => {
		if (broken.some((part) => parts[part] !== false)) throw new Error("damaged");
		return fakeTimeline(1, 5, undefined);
	});
}

describe("what is readable", () => {
	it("is everything but one part, or but both", async () => {
		for (const unread of [["agents"], ["lights"], ["agents", "lights"]] as const)
			expect(await readRest(reads(...unread), signal)).toMatchObject({ unread });
	});

	it("is nothing if the records themselves fail, or after an abort", async () => {
		const fails = vi.fn(async () => Promise.reject(new Error("frames/0: damaged")));
		expect(await readRest(fails, signal)).toBeUndefined();
		expect(fails).toHaveBeenCalledTimes(3);
		const aborted = reads("agents");
		expect(await readRest(aborted, AbortSignal.abort())).toBeUndefined();
		expect(aborted).not.toHaveBeenCalled();
	});

	it("of a timeline is without the track if agents are unread, and says what is lost", async () => {
		const agents = reads("agents");
		const { lost } = (await readTimelineRest(agents, 7n, signal)) ?? {};
		expect(lost).toBe("Quality and plots of agents");
		expect(agents).toHaveBeenCalledWith({ agents: false, lights: true });
		const lights = reads("lights");
		const rest = await readTimelineRest(lights, 7n, signal);
		expect(rest?.lost).toBe("Light states");
		expect(lights).toHaveBeenLastCalledWith({ agents: true, lights: false, track: 7n });
	});
});
