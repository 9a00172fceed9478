import { describe, expect, it } from "vitest";
import { parseConfig } from "../src/yaml.js";

const TEXT = `
# as L5Kit's examples have it
format_version: 4
model_params:
  history_num_frames: 10
  step_time: 0.1
  render_ego_history: yes
raster_params:
  raster_size:
    - 224
    - 224
  ego_center: [0.25, 0.5]
  map_type: "py_semantic"
  disable_traffic_light_faces: False
`;

describe("yaml", () => {
	it("reads a config as PyYAML does", () => {
		expect(parseConfig(TEXT)).toEqual({
			format_version: 4,
			model_params: {
				history_num_frames: 10,
				step_time: 0.1,
				render_ego_history: true,
			},
			raster_params: {
				raster_size: [224, 224],
				ego_center: [0.25, 0.5],
				map_type: "py_semantic",
				disable_traffic_light_faces: false,
			},
		});
		expect(parseConfig("a: 1\na: 2")).toEqual({ a: 2 });
		expect(parseConfig('{"a": {"b": [1, null]}}')).toEqual({ a: { b: [1, null] } });
	});

	it("rejects a non-config", () => {
		const code = expect.objectContaining({ code: "invalid_argument" }) as Error;
		expect(() => parseConfig("a: [1")).toThrow(code);
		expect(() => parseConfig("- a")).toThrow("found a list");
		expect(() => parseConfig("")).toThrow("found null");
	});
});
