/** Bank Names of the payment credential. */
import { bankNamesOf } from '../src/index.ts';

const banks = (bankNames: string) => bankNamesOf({ bankNames });

it.each([
	['a sheet', 'Банк\tНомер\nПример-Банк\t100000000111\nДругой банк\t100000000222'],
	['a sheet with the number first', '100000000111\tПример-Банк\r\n\r\n100000000222\tДругой банк\r\n'],
	['lines with commas', 'Пример-Банк, 100000000111\nДругой банк,100000000222,'],
	['lines with semicolons', ' Пример-Банк ; 100000000111 \n Другой банк;100000000222'],
])('are read from %s', (_what, text) => {
	const { names, numberOf } = banks(text);
	expect(names).toEqual(['Пример-Банк', 'Другой банк']);
	expect(numberOf('Пример-Банк')).toBe('100000000111');
	expect(numberOf('  «ПРИМЕР БАНК» ')).toBe('100000000111');
	expect(numberOf('Пример')).toBeUndefined();
});

it('may contain commas and digits', () => {
	expect(banks('Example Bank, JSC, 100000000111').numberOf('Example Bank (JSC)')).toBe('100000000111');
	expect(banks('Bank 24\t100000000333').numberOf('bank 24')).toBe('100000000333');
});

it('may repeat a bank, and may be empty', () => {
	expect(banks('A,1\nB,1\nA,1').names).toEqual(['A', 'B']);
	for (const bankNames of ['', undefined, 7]) expect(bankNamesOf({ bankNames } as never).names).toEqual([]);
});

it.each([
	['Example Bank', ''],
	['Example Bank\t100000000111', 'Bank 24'],
	['Example Bank\t100000000111', '24\t100000000222'],
	['Example Bank\t100000000111', ', 100000000222'],
	['Example Bank\t100000000111', 'Other Bank\t044525ABC'],
])('are refused if a line is not a name and a number: %j, %j', (...lines) => {
	const text = lines.join('\n').trim();
	expect(() => banks(text)).toThrow(/^Bank Names: ".+" must be a name and a number/);
});

it('are refused if a name has two numbers', () => {
	expect(() => banks('Example Bank, 1\nExample-bank, 2')).toThrow('Bank Names: "Example-bank" has two numbers');
});
