/** Builds `dist` of the package in this folder. When that fails, the last one stays. */
export function build(dir: string): Promise<void>;
