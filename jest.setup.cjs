// A test without assertions cannot fail. This also fails tests whose assertions are in a loop that did not run.
beforeEach(() => expect.hasAssertions());

// Jest considers [undefined] equal to [], so a list of findings with an undefined element would pass as empty.
expect.addEqualityTesters([
	(one, other) => (Array.isArray(one) && Array.isArray(other) && one.length !== other.length ? false : undefined),
]);
