import { createHash } from 'node:crypto';

import { Enums, Models, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library';
import type { BundledLibrary } from 'n8n-nodes-bank/build.mjs';

/** The released package, as listed in the bill of materials. */
export interface Released {
	name: string;
	version: string;
	description: string;
	license: string;
	tarball: Uint8Array;
}

/**
 * Software bill of materials of a release in CycloneDX 1.6: the tarball with its digest, and the libraries bundled into it. An
 * install adds no dependencies.
 */
export async function billOfMaterials(released: Released, bundled: readonly BundledLibrary[]): Promise<string> {
	const bom = new Models.Bom();
	const root = component(released);
	root.description = released.description;
	root.hashes.set(Enums.HashAlgorithm['SHA-512'], createHash('sha512').update(released.tarball).digest('hex'));
	bom.metadata.component = root;
	for (const library of bundled) {
		const part = component(library);
		root.dependencies.add(part.bomRef);
		bom.components.add(part);
	}
	const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
	const text = serializer.serialize(bom, { sortLists: true, space: '\t' });
	const fault = await new Validation.JsonStrictValidator(Spec.Spec1dot6.version).validate(text);
	if (fault !== null) throw new Error(`The bill of materials is no valid CycloneDX: ${JSON.stringify(fault)}`);
	return `${text}\n`;
}

function component({ name, version, license }: Omit<BundledLibrary, 'text'>): Models.Component {
	const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
	const made = new Models.Component(Enums.ComponentType.Library, name, { version, purl, bomRef: purl });
	made.licenses.add(new Models.SpdxLicense(license));
	return made;
}
