import type { Reviewer } from "../../reviewing/reviewer.js";

/** Starts a reviewer, whose code is loaded on first use. */
export async function startReviewer(): Promise<Reviewer> {
	const { Reviewer } = await import("../../reviewing/reviewer.js");
	return Reviewer.start();
}
