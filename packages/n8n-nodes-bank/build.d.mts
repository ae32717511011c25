/** A library with code in `dist`, and the text of its license. */
export interface BundledLibrary {
	name: string;
	version: string;
	license: string;
	text: string;
}

/** Builds `dist` of the package in this folder. The previous `dist` remains if the build fails. */
export function build(dir: string): Promise<BundledLibrary[]>;
