// Made-up tables of a version of nuScenes of any size, as text in parts.

/** What a version has. */
export interface VersionSize {
	readonly scenes: number;
	/** Key frames of a scene. */
	readonly samples: number;
	/** Instances of a scene. */
	readonly instances: number;
	/** Key frames in which an instance has a box, the first ones. */
	readonly seen: number;
	/** Records of sensors, and poses, per key frame. */
	readonly data: number;
}

const START_US = 1_532_402_927_000_000;
const PART = 2 ** 22;

const token = (kind: number, ...of: readonly number[]): string =>
	[kind, ...of]
		.map((one) => one.toString(16).padStart(6, "0"))
		.join("")
		.padEnd(32, "0");

const [LOG, SCENE, SAMPLE, INSTANCE, DATA, BOX] = [1, 2, 3, 4, 5, 6];

type Row = Readonly<Record<string, unknown>>;

function* each(...counts: readonly number[]): Generator<readonly number[]> {
	const [count = 0, ...rest] = counts;
	for (let i = 0; i < count; i += 1) {
		if (rest.length === 0) yield [i];
		else for (const more of each(...rest)) yield [i, ...more];
	}
}

function* mapped(
	counts: readonly number[],
	row: (...at: readonly number[]) => Row,
): Generator<Row> {
	for (const at of each(...counts)) yield row(...at);
}

/** Returns a table's records, with the fields that published ones have. */
function rowsOf(table: string, size: VersionSize): Iterable<Row> {
	const { scenes, samples, instances, seen, data } = size;
	const time = (s: number, i: number): number =>
		START_US + s * 60_000_000 + i * 500_000;
	const rotation = [0.5720320396729045, -0.001, 0.002, 0.8202272868134];
	switch (table) {
		case "log":
			return [{ token: token(LOG), location: "none", vehicle: "n", date_captured: "" }];
		case "category":
			return [{ token: "car", name: "vehicle.car" }];
		case "attribute":
			return [{ token: "moving", name: "vehicle.moving" }];
		case "sensor":
			return ["LIDAR_TOP", "CAM_FRONT"].map((channel) => ({ token: channel, channel }));
		case "calibrated_sensor":
			return ["LIDAR_TOP", "CAM_FRONT"].map((channel) => {
				return { token: `c-${channel}`, sensor_token: channel };
			});
		case "scene":
			return mapped([scenes], (s = 0) => {
				return { token: token(SCENE, s), name: `made-${s}`, log_token: token(LOG) };
			});
		case "sample":
			return mapped([scenes, samples], (s = 0, i = 0) => ({
				token: token(SAMPLE, s, i),
				timestamp: time(s, i),
				scene_token: token(SCENE, s),
			}));
		case "instance":
			return mapped([scenes, instances], (s = 0, k = 0) => {
				return { token: token(INSTANCE, s, k), category_token: "car" };
			});
		case "sample_data":
			return mapped([scenes, samples, data], (s = 0, i = 0, k = 0) => ({
				token: token(DATA, s, i, k),
				sample_token: token(SAMPLE, s, i),
				ego_pose_token: token(DATA, s, i, k),
				calibrated_sensor_token: k === 0 ? "c-LIDAR_TOP" : "c-CAM_FRONT",
				timestamp: time(s, i) + k * 1000,
				fileformat: "pcd",
				is_key_frame: k === 0,
				...{ height: 900, width: 1600 },
				filename: `sweeps/CAM_FRONT/n015-2018-07-24-11-22-45+0800__CAM_FRONT__${k}.jpg`,
				...{ prev: token(DATA, s, i, k + 1), next: token(DATA, s, i, k + 2) },
			}));
		case "ego_pose":
			return mapped([scenes, samples, data], (s = 0, i = 0, k = 0) => ({
				token: token(DATA, s, i, k),
				timestamp: time(s, i) + k * 1000,
				rotation,
				translation: [411.3039349319818 + i, 1180.8903791765097, 0],
			}));
		default:
			return mapped([scenes, instances, seen], (s = 0, k = 0, i = 0) => ({
				token: token(BOX, s, k, i),
				sample_token: token(SAMPLE, s, i),
				instance_token: token(INSTANCE, s, k),
				visibility_token: "4",
				attribute_tokens: ["moving"],
				translation: [373.256 + i, 1130.419 + k, 0.8],
				size: [0.621, 0.669, 1.642],
				rotation,
				...{ prev: token(BOX, s, k, i + 1), next: token(BOX, s, k, i + 2) },
				...{ num_lidar_pts: 1, num_radar_pts: 0 },
			}));
	}
}

/** Yields a table's text in parts of some 4 MiB, indented as published tables are. */
export function* tableParts(table: string, size: VersionSize): Generator<string> {
	let text = "[\n";
	let isFirst = true;
	for (const row of rowsOf(table, size)) {
		text += `${isFirst ? "" : ",\n"}${JSON.stringify(row, undefined, 0)}`;
		isFirst = false;
		if (text.length < PART) continue;
		yield text;
		text = "";
	}
	yield `${text}\n]`;
}
