/** Entry point of the worker. */

import { instantiate } from "./worker/core-module.js";
import type { ToWorker } from "./worker/protocol.js";
import { Service, type ServiceOptions } from "./worker/service.js";

/**
 * The used part of DedicatedWorkerGlobalScope, whose type library conflicts with the
 * page's.
 */
interface Scope {
	postMessage(message: unknown, transfer: Transferable[]): void;
	onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}

const scope = globalThis as unknown as Scope;
const post: ServiceOptions["post"] = (message, transfer = []) =>
	scope.postMessage(message, transfer);
const service = new Service({ post, instantiate });
scope.onmessage = ({ data }) => service.receive(data);
post({ type: "ready" });
