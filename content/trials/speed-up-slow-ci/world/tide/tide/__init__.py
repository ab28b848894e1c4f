"""Heights of the tide."""
