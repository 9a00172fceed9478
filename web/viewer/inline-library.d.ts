export * from "bevscope";
