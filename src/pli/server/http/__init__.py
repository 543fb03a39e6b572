"""The HTTP application: routes, responses, limits at the edge."""
