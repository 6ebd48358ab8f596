"""What happens before a route: security checks, limits, and what a request says about itself."""
