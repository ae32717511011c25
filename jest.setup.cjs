// A test that asks for nothing cannot fail. One that is done without asking, because nothing was there to ask of, fails with this.
beforeEach(() => expect.hasAssertions());
