import type { FromWorker, ToWorker } from "../../src/worker/protocol.js";
import { Service } from "../../src/worker/service.js";

/** A `Worker` that runs a `Service` on this thread; messages are cloned. */
export class ServiceWorkerDouble {
	onmessage: ((event: { data: FromWorker }) => void) | null = null;
	onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null;
	readonly sent: ToWorker[] = [];
	terminated = false;
	readonly #service: Service;

	constructor(instantiate: ConstructorParameters<typeof Service>[0]["instantiate"]) {
		const post = (message: FromWorker, transfer: Transferable[] = []): void => {
			const data = structuredClone(message, { transfer });
			setTimeout(() => this.terminated || this.onmessage?.({ data }));
		};
		this.#service = new Service({ post, instantiate });
	}

	postMessage(message: ToWorker, transfer: Transferable[] = []): void {
		const data = structuredClone(message, { transfer });
		this.sent.push(data);
		setTimeout(() => this.#service.receive(data));
	}

	terminate(): void {
		this.terminated = true;
	}
}
