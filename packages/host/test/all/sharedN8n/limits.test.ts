import { type Bed, openBed } from '../../support/bed.ts';
import { limitsHold } from '../../support/limitCases.ts';

let bed: Bed;

beforeAll(async () => {
	bed = await openBed();
});

limitsHold(() => bed);
