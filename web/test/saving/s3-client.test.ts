import { afterEach, describe, expect, it, vi } from "vitest";
import { S3Client, type S3Options } from "../../src/saving/s3-client.js";

const URL = "https://s3.test/bucket/k";

type Answers = readonly (() => Response | Promise<Response>)[];

/** A client whose n-th request gets the n-th answer, then the last one. */
function clientOf(answers: Answers, options: Partial<S3Options> = {}) {
	const sent: RequestInit[] = [];
	const send = async (_: unknown, init: RequestInit = {}): Promise<Response> => {
		sent.push(init);
		return (answers[sent.length - 1] ?? answers.at(-1))?.() ?? new Response();
	};
	const sign = () => ({ url: URL });
	const client = new S3Client({
		...{ sign, fetch: send as typeof fetch, retryDelay: 1, retries: 3 },
		...options,
	});
	return { client, sent };
}

const ok = () => new Response();
const busy = (after: string) => () =>
	new Response("", { status: 503, headers: { "Retry-After": after } });

afterEach(() => {
	vi.useRealTimers();
});

describe("saving/s3-client: an abort", () => {
	const request = { method: "PUT", key: "k" } as const;

	it("while the request is signed sends nothing", async () => {
		const control = new AbortController();
		const sign = async () => {
			control.abort("enough");
			return { url: URL };
		};
		const { client, sent } = clientOf([ok], { sign });
		const done = client.send({ ...request, signal: control.signal });
		await expect(done).rejects.toBe("enough");
		expect(sent).toEqual([]);
	});

	it("does not wait for a signature", async () => {
		const control = new AbortController();
		const { client } = clientOf([ok], { sign: () => new Promise(() => {}) });
		const done = client.send({ ...request, signal: control.signal });
		setTimeout(() => control.abort("enough"), 5);
		await expect(done).rejects.toBe("enough");
	});

	it("is not a failure of the signature", async () => {
		const control = new AbortController();
		const sign = async () => {
			control.abort("enough");
			throw new Error("aborted");
		};
		const { client } = clientOf([ok], { sign });
		const done = client.send({ ...request, signal: control.signal });
		await expect(done).rejects.toBe("enough");
	});

	it("does not wait for a fetch that ignores its signal", async () => {
		for (const answer of [
			() => new Promise<Response>(() => {}),
			() => new Response(new ReadableStream()),
		]) {
			const control = new AbortController();
			const { client } = clientOf([answer]);
			const done = client.send({ ...request, signal: control.signal });
			setTimeout(() => control.abort("enough"), 5);
			await expect(done).rejects.toBe("enough");
		}
	});

	it("ends the wait before a retry", async () => {
		const control = new AbortController();
		const { client, sent } = clientOf([busy("20")]);
		const done = client.send({ ...request, signal: control.signal });
		setTimeout(() => control.abort("enough"), 5);
		await expect(done).rejects.toBe("enough");
		expect(sent).toHaveLength(1);
	});
});

describe("saving/s3-client: Retry-After", () => {
	const request = { method: "GET", key: "k" } as const;

	it("is the least wait before the next attempt", async () => {
		vi.useFakeTimers();
		const { client, sent } = clientOf([busy("20"), ok]);
		const done = client.send(request);
		await vi.advanceTimersByTimeAsync(19_900);
		expect(sent).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(3000);
		expect((await done).status).toBe(200);
	});

	it("of more than 30 s ends the attempts", async () => {
		const { client, sent } = clientOf([busy("31"), ok]);
		await expect(client.send(request)).rejects.toThrow("s3: k: HTTP 503");
		expect(sent).toHaveLength(1);
	});

	it("a silent server is asked again after the timeout", async () => {
		const silent = () => new Promise<Response>(() => {});
		const { client, sent } = clientOf([silent, ok], { timeout: 5 });
		expect((await client.send(request)).status).toBe(200);
		expect(sent).toHaveLength(2);
	});
});
