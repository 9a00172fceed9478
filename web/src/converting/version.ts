import { BevError } from "../base/errors.js";
import type { Core, Handle } from "../core/core.js";
import { naming, wholeOf } from "./files.js";
import type { ConvertRequest, TableRequest, VersionScene } from "./protocol.js";

/** The version of nuScenes that a core reads. */
interface Version {
	readonly handle: Handle<"TablesVersion">;
	/** The file that is being read. */
	table: string | undefined;
	/** Locations whose maps were read. */
	readonly maps: Set<string>;
}

const versions = new WeakMap<Core, Version>();

function versionOf(core: Core): Version {
	const version = versions.get(core);
	if (version) return version;
	throw new BevError("invalid_argument", "nuScenes: no version was begun");
}

/** Parses the tags of each scene. */
export function tagsIn(json: string): readonly (readonly string[])[] {
	return JSON.parse(json) as readonly (readonly string[])[];
}

/** Begins a version. Returns the names of its files, in the order in which they follow. */
export async function filesOf(core: Core): Promise<readonly string[]> {
	const before = versions.get(core);
	if (before) core.release(before.handle);
	const handle = core.run("tables_version", {});
	versions.set(core, { handle, table: undefined, maps: new Set() });
	return core.run("version_files", {});
}

/** Reads a part of the version's next file, and returns the scenes that are known. */
export function readTable(
	core: Core,
	{ part, name, table, isLast }: TableRequest,
): Promise<readonly VersionScene[]> {
	return naming(name, async () => {
		const current = versionOf(core);
		const version = current.handle;
		if (current.table !== table) core.run("version_begin", { version, file: table });
		current.table = table;
		core.run("version_push", { version, text: part });
		if (!isLast) return [];
		core.run("version_end", { version });
		const locations = core.run("version_locations", { version });
		const tags = tagsIn(core.run("version_tags", { version }));
		return core.run("version_scenes", { version }).map((scene, i) => {
			return { name: scene, location: locations[i] ?? "", tags: tags[i] ?? [] };
		});
	});
}

/** Reads a scene, and before the first one of a location its map. */
export async function readNuscenes(
	core: Core,
	converter: Handle<"Converter">,
	{ scene, location, map }: Extract<ConvertRequest, { kind: "nuscenes" }>,
): Promise<void> {
	const { handle: version, maps } = versionOf(core);
	if (map && !maps.has(location)) {
		await naming(map.name, async () => {
			const json = new Uint8Array(await wholeOf(map.file));
			core.run("version_map", { version, location, json });
		});
		maps.add(location);
	}
	core.run("read_nuscenes", { converter, version, scene });
}
