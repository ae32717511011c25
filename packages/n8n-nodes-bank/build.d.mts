/** A library of which something is in `dist`, with the text of its licence. */
export interface BundledLibrary {
	name: string;
	version: string;
	license: string;
	text: string;
}

/** Builds `dist` of the package in this folder. When that fails, the last one stays. */
export function build(dir: string): Promise<BundledLibrary[]>;
