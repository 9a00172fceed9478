import type { FromWorker } from "../worker/protocol.js";

/** A worker that has not said it is ready by then is taken for blocked. */
const READY_WITHIN_MS = 10_000;

/** `worker`, once it has said it is ready; else it is ended, and this rejects. */
export function whenReady(worker: Worker): Promise<Worker> {
	return new Promise((resolve, reject) => {
		const fail = (said: string): void => {
			clearTimeout(timer);
			worker.terminate();
			reject(new Error(said));
		};
		const timer = setTimeout(() => fail("did not start in time"), READY_WITHIN_MS);
		worker.onerror = (event) => {
			event.preventDefault();
			fail(event.message || "was refused");
		};
		worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
			if (data.type !== "ready") return;
			clearTimeout(timer);
			resolve(worker);
		};
	});
}
