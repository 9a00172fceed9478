export function commonroadXml(): string;
