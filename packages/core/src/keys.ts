/** The names of the fields of a table. TypeScript lets an object have more than its type says; a table that is written out has not. */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
	return Object.keys(table) as (keyof T & string)[];
}
