// A test that asks for nothing cannot fail. One that is done without asking, because nothing was there to ask of, fails with this.
beforeEach(() => expect.hasAssertions());

// Jest takes [undefined] for equal to [], so that a list of findings could hold one that is undefined and pass for empty.
expect.addEqualityTesters([
	(one, other) => (Array.isArray(one) && Array.isArray(other) && one.length !== other.length ? false : undefined),
]);
