export function keysOf<T extends object>(table: T): (keyof T & string)[] {
	return Object.keys(table) as (keyof T & string)[];
}
