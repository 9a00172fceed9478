import type { CoreConvert } from "../core-convert.js";
import { convert, recordLimits } from "./convert.js";
import type { Answers, Request } from "./protocol.js";

/** Answers a request of a worker or of the page. */
export function answerTo(
	core: CoreConvert,
	request: Request,
): Promise<Answers[Request["kind"]]> {
	return request.kind === "records"
		? recordLimits(core, request)
		: convert(core, request);
}
