import { inflateSync } from "node:zlib";

/** A log of three frames and a box, as tests/python/made_simulation.py makes it. */
const LOG = [
	"/Td6WFoAAATm1rRGAgAhAQwAAACPmEGc4A9aBLFdAGL//AECyoxunfOLb2eHTvrA39YOJ4UMT8kwywqZ",
	"qAY5aDVl8oxcs/wWwDMoNNNlfIKnZ9ANVcD8MXmUSg3wjOJOlSMaXsxR3sJwwsi5olbqr9OdypCJ1vT1",
	"PAWbreCbP/AdCzPa0VGutbraKVr1KYUJCMiOQFgWkKo7dnWME3OlevF5WkhuDhIfPdCZRvRGtvtDBHET",
	"NNeIhPS0kviU06O+olspOjHVzvN12hYT/9fXw2Nj2FcEOw8HZVz2LeHw9osoDFWS8Dzlxf2aRdkyr5sy",
	"te7H3+6hDuCDDm5LSC3U+X84aaIs0x0r/WQTVUpHGoLmaxQQSw20VYzTnSv3fdJVsImrkMBNCanQJIK8",
	"6HhSwopmiRU4u0c4j6q8OK4xdM6tTIa6CUvyUhuUliapWmvcC3v3um9UUnzIUi2Kd/OXRvUQDbfiHAEx",
	"CxFIDWnfbyVc5fmWvI+zIl+3nAXGv35ASG/cNOIaKJWB9RQJV0PGT7KuZOofN49ad5FribBLkunRZd09",
	"dtzIOz1IWL1gsJf9xacviHzEabx70W3EXt2gQAWc0xj1cJ5ZYxU3kQfTy2eay4dRZlwj/ikc001JRzjA",
	"6C/OJ5VqKO3/Ze5OVHQTOxfvHL+OKqYxcciIi/f5SSnA2A57/E7PwwKn9TB6nkI65IN6BJ6d04MnQe+8",
	"pGyOWB8pHV+/R1Fv7Ao8H0VNTU+sqgygaJEEsXkfd9BA8hxYQUHVfzhkkdfFTa1S2Rg1e8AdHxRn7MCz",
	"VRyNi+H8fghpeX/YFrvypJ+cqs3OhdsTS1s1eGL2wD1rBhUx6NvFXOcJ9+1hXCv9KYYOuIKaWdXcEDsH",
	"eq8t1JXZH7UDQjnO3ToaIcmFxa7S3MxB79a9aWQTDESuLAHQz9zJvD8dpryDQn40Xf+YrUOYjxv+DZQf",
	"UQ2tdT59aN2FVlACgAh+GExCooAh9eIzHYyLrLYIknvUDKTqC60fGsfJbBoGO9UOyR4hxhiS7BkD3LPP",
	"+j89VFZYjLQBZRjlR93vccN9yIwM7ApSSvMBNAmOkxN6+FYctmoCzcJ8c4LHtX6+LkiswBvx3fK1Z3RE",
	"tLm6ygnuHQOUb/FglwkdcA7jdowQUDwULXpf5nx3c4uyYInT1x+wvseVDhgyMNq71pHEuK859/FkJyGt",
	"5QUoTu/ups8loRywjXOgCwyXhWKSR2r8FZSIimUleNvfiINrxYfuMhcL4LRPHh/aeDKKlp7xRplUwNzU",
	"3XAQaXUs8oR8+jR9lt0MIrl9PNK+Ohfhtzd3tlCw/b9GM+/1n0XedR61tgfNjkBwe4+O2+2DsDdwauWY",
	"f8bFVu2peaEgBmVbXWsLOjU1MqpPdxOCujeY9MwYAB5/mjP4e0udBjW/CCv5nd9VzvoKOtDh7F/rQUrk",
	"Oca0RZarig2uqe75UiBX0349r3jFhNT/my7Givvl6uDkq3x29SzIDXwygXJfHvUlIY81yWYVr6uaCrd1",
	"fCrg25yR1pegMuLJ9NX4cCsKpq1TssJUspvAb7QoukK3SUGCIViPRZLHva0VeO8KsfpmL+XE/d/ZVFRw",
	"ZBqJqwc0fDDIqBo+PXtfMbE58l/lsWgrp7dm8J8DDc4AAAAADEo1YanLyNsAAc0J2x4AACQL3oSxxGf7",
	"AgAAAAAEWVo=",
];

/** 32 MiB of zeros as xz, deflated. */
const BOMB = [
	"eNr7a14VEcXAwPLs2hY3JgZFRh4GBob+GY5z/v8XZMyJZWDI//v//+Lt/93tPESLLBMDd0zSeLa4jf3n",
	"uydyTZf1j1rZMHpvrDvZ1eWrv5j3Zv2yxz3KgsEPIiWOlnY9Kv+xbUo9T9aBeyWeKY9exgRvYrnx3YVn",
	"dTxvrtvLp4fLOrZPC1+zzfdhpmz+b+8OgRyn0x32MQz9F/zWq2lMKZS37Vd5WDBvuXL8G43TrRenzuiq",
	"05r4Sb30u+QBthm+M/7eWH91Av8R1eAfXyeaGbIu3fAu/2CBrzvPxYmCq9YmyO46t1FdIiay7WVaUMS+",
	"l2VrIp88jWbl+Hn81to/v4O0S87KRSs4/bwbbPtDM4XTuuG0Vs79rdYfjuzVi1/Fb+ed5jRBmO+/wOQf",
	"hRWRP7jP/p+q4ca/8k/Nvd+zDPTCDvS3fm5uPJBKZav3eKg/i5j/X4BRm+FNcfDyv/vW1RhKzd/ea5g3",
	"csKANKsD+e03jQbYaICNBthogI0G2GiAjQbYaICNBthogI0G2GiAjQbYaICNBthogA2uAGvge8fAxvCg",
	"j3EnAxBYfz96dF/45G0MjJ/VGhoaBKIcukw2Hkn/zQSSZImMAgA3JdUN",
];

export function simulationLog(): Uint8Array<ArrayBuffer> {
	return new Uint8Array(Buffer.from(LOG.join(""), "base64"));
}

export function xzBomb(): Uint8Array<ArrayBuffer> {
	return new Uint8Array(inflateSync(Buffer.from(BOMB.join(""), "base64")));
}
