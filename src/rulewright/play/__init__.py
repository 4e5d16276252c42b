"""Play matches of a Program: engines, the public class Match, views, replays, words for events."""
