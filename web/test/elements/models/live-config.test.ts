import { describe, expect, it } from "vitest";
import { configFor, historyIn } from "../../../src/elements/models/live-config.js";
import type { ModelContract } from "../../../src/model.js";

const NOTHING = {
	history_num_frames: null,
	future_num_frames: null,
	width: null,
	height: null,
};

const CONTRACT: ModelContract = {
	name: "a",
	subject: "ego",
	vectorized: false,
	image: "f32",
	readsFuture: false,
	batch: null,
	inputs: [],
	outputs: { positions: "positions", confidences: null, yaws: null },
	modes: 1,
	steps: 12,
	frame: "subject",
	units: 1,
	firstStep: 1,
	stepTime: 0.1,
	labels: [],
	maxAgents: 32,
	config: null,
	assumed: NOTHING,
};

describe("live-config", () => {
	it("is the model's own, if it has one", () => {
		const config = { model_params: { history_num_frames: 3 } };
		const found = configFor({ ...CONTRACT, config }, '{"raster_params": {}}', true);
		expect(found).toEqual({ json: JSON.stringify(config), from: "its own" });
	});

	it("is the data's, with the numbers of the model's shapes", () => {
		const data = JSON.stringify({
			format_version: 4,
			model_params: { history_num_frames: 1, step_time: 0.1 },
			raster_params: { raster_size: [9, 9], map_type: "py_semantic" },
		});
		const assumed = {
			history_num_frames: 10,
			future_num_frames: 12,
			width: 112,
			height: 96,
		};
		const { json, from } = configFor({ ...CONTRACT, assumed }, data, true);
		expect(from).toBe("the data's; assumed: history 10, 112 × 96 px");
		expect(JSON.parse(json)).toEqual({
			format_version: 4,
			model_params: {
				history_num_frames: 10,
				history_num_frames_ego: 10,
				history_num_frames_agents: 10,
				future_num_frames: 12,
				step_time: 0.1,
			},
			raster_params: { raster_size: [112, 96], map_type: "py_semantic" },
		});
	});

	it("has a history: the longest of those it names", () => {
		expect(historyIn('{"model_params": {"history_num_frames": 4}}')).toBe(4);
		const params = { history_num_frames_ego: 2, history_num_frames_agents: 7 };
		expect(historyIn(JSON.stringify({ model_params: params }))).toBe(7);
		expect(historyIn("{}")).toBe(0);
	});

	it("is the viewer's otherwise, which draws the map for images alone", () => {
		const type = (contract: ModelContract, hasMap: boolean) =>
			JSON.parse(configFor(contract, undefined, hasMap).json).raster_params.map_type;
		expect(type(CONTRACT, true)).toBe("py_semantic");
		expect(type(CONTRACT, false)).toBe("box_debug");
		expect(type({ ...CONTRACT, image: "none" }, true)).toBe("box_debug");
		expect(configFor(CONTRACT, undefined, true).from).toBe("the viewer's");
	});
});
