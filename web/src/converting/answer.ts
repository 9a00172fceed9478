import type { Door } from "../core/door.js";
import { convert, forecastsOf, recordLimits } from "./convert.js";
import type { Answers, Request } from "./protocol.js";

/** Answers a request of a worker or of the page. */
export function answerTo(
	door: Door,
	request: Request,
): Promise<Answers[Request["kind"]]> {
	if (request.kind === "records") return recordLimits(door, request);
	if (request.kind === "forecasts") return forecastsOf(request);
	return convert(door, request);
}
