import type { ViewerDataset } from "../session/dataset.js";
import { sceneAttributes } from "./benchmark.js";

type Attributes = ViewerDataset["attrs"];

/** Returns the tags of a scene in the attributes of a converted data set, by name. */
export function tagsOf(attrs: Attributes, scene: number): readonly string[] {
	const { tags } = sceneAttributes(attrs, scene) ?? {};
	const isNamed = typeof tags === "object" && tags !== null && !Array.isArray(tags);
	return isNamed ? Object.keys(tags).sort() : [];
}

/** Returns the frames of a scene that have a tag; none if it is of the whole scene. */
export function tagFrames(
	attrs: Attributes,
	scene: number,
	tag: string,
): readonly number[] {
	const { tags } = sceneAttributes(attrs, scene) ?? {};
	const frames = (tags as Readonly<Record<string, unknown>> | undefined)?.[tag];
	return Array.isArray(frames) ? frames.filter(Number.isSafeInteger) : [];
}

/** Returns the tags that scenes of a data set have, by name. */
export function allTags(attrs: Attributes): readonly string[] {
	const { scenes } = (attrs?.bevscope ?? {}) as { readonly scenes?: unknown };
	const count = Array.isArray(scenes) ? scenes.length : 0;
	const all = new Set<string>();
	for (let scene = 0; scene < count; scene += 1)
		for (const tag of tagsOf(attrs, scene)) all.add(tag);
	return [...all].sort();
}
