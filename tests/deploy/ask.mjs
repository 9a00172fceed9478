// Requests to a server of this machine, by the name of a site.
import { readFileSync } from "node:fs";
import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";

/**
 * Sends a request to 127.0.0.1, with TLS if there is a certificate to trust; returns
 * status, headers and body.
 */
export function ask({ port, path, host, cert, method = "GET", headers, localAddress }) {
	const request = cert ? requestTls : requestPlain;
	const options = {
		...{ host: "127.0.0.1", port, path, method, localAddress, agent: false },
		...(cert && { servername: host, ca: readFileSync(cert) }),
		headers: { Host: `${host}:${port}`, ...headers },
	};
	return new Promise((resolve, reject) => {
		const sent = request(options, async (answer) => {
			const body = Buffer.concat(await answer.toArray()).toString();
			resolve({ status: answer.statusCode, headers: answer.headers, body });
		});
		sent.on("error", reject).end();
	});
}
