import type { Core } from "../core/core.js";
import {
	convert,
	forecastsOf,
	listedFiles,
	recordLimits,
	startLog,
	supplyLog,
} from "./convert.js";
import type {
	Answers,
	Request,
	RunInScene,
	RunInSceneRequest,
	RunRequest,
	RunScenes,
} from "./protocol.js";
import { findTracks } from "./tracks.js";
import { filesOf, readTable } from "./version.js";

/** Answers a request of a worker or of the page. */
export function answerTo(
	core: Core,
	request: Request,
): Promise<Answers[Request["kind"]]> {
	if (request.kind === "records") return recordLimits(core, request);
	if (request.kind === "lists") return listedFiles(core, request);
	if (request.kind === "files") return filesOf(core);
	if (request.kind === "table") return readTable(core, request);
	if (request.kind === "tracks") return findTracks(core, request);
	if (request.kind === "log") return startLog(core, request);
	if (request.kind === "supply") return supplyLog(core, request);
	if (request.kind === "forecasts") return forecastsOf(request);
	if (request.kind === "run" || request.kind === "runInScene")
		return runAnswer(core, request);
	return convert(core, request);
}

async function runAnswer(
	core: Core,
	request: RunRequest | RunInSceneRequest,
): Promise<RunScenes | RunInScene> {
	const { openRun, runInScene } = await import("./simulation.js");
	return request.kind === "run" ? openRun(core, request) : runInScene(core, request);
}
